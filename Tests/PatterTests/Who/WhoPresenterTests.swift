import ChatTransport
import Primitives
import Testing

@testable import patter

struct WhoPresenterTests {
  private func presenter(json: Bool) -> WhoPresenter {
    WhoPresenter(room: "lan", wait: .milliseconds(1500), printsJSON: json)
  }

  private func row(_ name: String, _ identity: UInt64, _ addresses: SocketAddress...) -> WhoRow {
    WhoRow(
      incarnation: Incarnation(identity: Identity(high: identity << 32, low: 0), epoch: 9),
      name: name, addresses: addresses.map { InterfaceAddress($0, interface: "e0") })
  }

  private let here = SocketAddress(ip: IPAddress(192, 0, 2, 7), port: 28421)
  private let linkLocal = SocketAddress(
    ip: IPAddress(ipv6High: 0xFE80 << 48, low: 1), port: 28421, scope: 2)

  @Test func alignsThoseWhoAreHere() {
    let rows = [row("Luke", 3, here, linkLocal), row("李雷", 2, here), row("Luke", 1, here)]
    #expect(
      presenter(json: false).lines(for: rows) == [
        .out("3 here in lan:"),
        .out("  Luke  00000001  192.0.2.7:28421"),
        .out("  Luke  00000003  192.0.2.7:28421, [fe80::1%e0]:28421"),
        .out("  李雷  00000002  192.0.2.7:28421"),
      ])
  }

  @Test func makesHostileNamesHarmless() {
    let lines = presenter(json: false).lines(for: [row("a\u{1B}\u{200B}", 1, here), row("b", 2)])
    #expect(
      lines.dropFirst() == [
        .out("  a^[\\u{200b}  00000001  192.0.2.7:28421"), .out("  b            00000002  "),
      ])
  }

  @Test func printsOneObjectAPeer() {
    #expect(
      presenter(json: true).lines(for: [row("Luke", 1, here)]) == [
        .out(
          #"{"v":1,"type":"peer","room":"lan","id":"00000001000000000000000000000000","epoch":9,"#
            + #""name":"Luke","addresses":[{"interface":"e0","address":"192.0.2.7","port":28421}]}"#
        )
      ])
  }

  @Test(arguments: [false, true])
  func saysOnStandardErrorThatNobodyIsHere(json: Bool) {
    let lines = presenter(json: json).lines(for: [])
    #expect(lines.first == .error("patter who: nobody was heard in lan for 1500 ms"))
    #expect(lines.allSatisfy { $0.stream == .standardError })
  }
}
