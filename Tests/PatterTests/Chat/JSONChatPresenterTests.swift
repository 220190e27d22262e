import ChatRoom
import ChatTransport
import Foundation
import Primitives
import Testing

@testable import patter

struct JSONChatPresenterTests {
  private let presenter = JSONChatPresenter(room: Sample.room)
  private static let luke = Sample.member("Luke", displayName: "Luke#0000")
  private static let id = "0000000000000123000000000000abcd"
  private static let member =
    #"{"id":"\#(id)","epoch":1700,"name":"Luke#0000","nick":"Luke"}"#

  private static let table: [(RoomEvent, String)] = [
    (.joined(luke), #"{"v":1,"type":"joined","room":"lan","from":\#(member)}"#),
    (
      .left(luke, .timedOut),
      #"{"v":1,"type":"left","room":"lan","from":\#(member),"reason":"timedOut"}"#
    ),
    (
      .left(luke, .closedByUs),
      #"{"v":1,"type":"left","room":"lan","from":\#(member),"reason":"closedByUs"}"#
    ),
    (
      Sample.message(from: luke, "a\n\u{1B}\u{202E}"),
      #"""
      {"v":1,"type":"message","room":"lan","id":"\#(id):1700:5","from":\#(member),\#
      "text":"a\n\u001b\u202e","sequence":5,"delivery":"reliable"}
      """#
    ),
    (
      Sample.plain(nil, "hi"),
      #"""
      {"v":1,"type":"message","room":"lan","id":null,\#
      "from":{"address":"192.0.2.7:40213","name":null},"text":"hi","sequence":null,\#
      "delivery":"unreliable","plain":true}
      """#
    ),
    (
      Sample.plain("B\"", "hi"),
      #"""
      {"v":1,"type":"message","room":"lan","id":null,\#
      "from":{"address":"192.0.2.7:40213","name":"B\""},"text":"hi","sequence":null,\#
      "delivery":"unreliable","plain":true}
      """#
    ),
    (
      .gap(luke, missing: 5..<7),
      #"{"v":1,"type":"gap","room":"lan","from":\#(member),"count":2,"first":5,"last":6}"#
    ),
    (
      .undelivered(Sample.record(3), to: luke, .tooOld),
      #"""
      {"v":1,"type":"error","room":"lan","kind":"undelivered",\#
      "message":"line 3 may not have reached Luke#0000: it was not acknowledged in time",\#
      "id":"\#(id):1700:3","to":\#(member),"reason":"tooOld"}
      """#
    ),
    (
      .closed(.failed("the network is down")),
      #"{"v":1,"type":"error","room":"lan","kind":"network","message":"the network is down"}"#
    ),
  ]

  @Test(arguments: table)
  func prints(event: RoomEvent, line: String) throws {
    #expect(presenter.lines(for: event) == [.out(line)])
    _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
  }

  @Test(arguments: [
    RoomEvent.delivered(Sample.record(1), to: luke), .gap(luke, missing: 5..<5),
    .closed(.closedByUs),
  ])
  func keepsSilentAbout(event: RoomEvent) {
    #expect(presenter.lines(for: event).isEmpty)
  }

  @Test func printsTheLargestGapWithoutOverflow() throws {
    let lines = presenter.lines(for: .gap(Self.luke, missing: 0..<UInt64.max))
    #expect(
      lines.first?.text.hasSuffix(
        #""count":18446744073709551615,"first":0,"last":18446744073709551614}"#) == true)
  }

  @Test func saysWhereWeCanBeReached() {
    let ready = ReadyInformation(
      incarnation: Self.luke.incarnation, name: "Luke", room: "lan",
      addresses: [
        InterfaceAddress(SocketAddress(ip: IPAddress(192, 0, 2, 7), port: 28421), interface: "e0"),
        InterfaceAddress(
          SocketAddress(ip: IPAddress(ipv6High: 0xFE80 << 48, low: 1), port: 28422, scope: 2),
          interface: "e0"),
      ], port: 28421, sharedPort: 28420,
      groups: [IPAddress(239, 255, 1, 2), IPAddress(ipv6High: 0xFF12 << 48, low: 1)])
    #expect(
      presenter.lines(ready: ready) == [
        .out(
          #"{"v":1,"type":"ready","room":"lan","id":"\#(Self.id)","epoch":1700,"name":"Luke","#
            + #""addresses":[{"interface":"e0","address":"192.0.2.7","port":28421},"#
            + #"{"interface":"e0","address":"fe80::1%e0","port":28422}],"#
            + #""port":28421,"shared_port":28420,"groups":["239.255.1.2","ff12::1"]}"#)
      ])
  }

  @Test(arguments: ChatError.Kind.allCases)
  func printsErrorsOnStandardOutput(kind: ChatError.Kind) {
    #expect(
      presenter.lines(error: ChatError(kind: kind, message: "x")) == [
        .out(
          #"{"v":1,"type":"error","room":"lan","kind":"\#(kind.rawValue)","message":"x"}"#)
      ])
  }
}
