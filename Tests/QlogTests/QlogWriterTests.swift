import ChatTransport
import DatagramPeer
import Foundation
import Primitives
import Testing

@testable import Qlog

struct QlogWriterTests {
  /// All events there are, with values of all shapes.
  private static var everyFact: [TraceEvent.Fact] {
    let path = Path(
      remote: SocketAddress(ip: IPAddress(192, 0, 2, 7), port: 9), local: IPAddress(192, 0, 2, 1),
      interface: 3)
    var packet = TracePacket(
      number: 7, size: 1_200,
      frames: [
        .padding(length: 3), .ping,
        .acknowledgement(delay: .microseconds(1_250), ranges: [8...9, 3...3]),
        .close(code: 2),
        .message(
          channel: 4, isSequenced: true, sequence: 5, totalSize: 9, offset: 0, length: 9),
        .message(
          channel: 4, isSequenced: false, sequence: 6, totalSize: 9, offset: 4, length: 5),
        .chunk(channel: 1, isOrdered: true, offset: 64, length: 100),
        .skip(channel: 1, isOrdered: false, offset: 1, length: 2, messages: 1),
        .window(limit: 1 << 61), .streamWindow(channel: 255, isOrdered: true, limit: 9),
      ], framesLeftOut: 2)
    packet.retransmittedBytes = 1
    packet.redundantBytes = 2
    packet.hasCopies = true
    packet.isSizeProbe = true
    let roundTrip = RoundTripTime(
      latest: .microseconds(10_500), smoothed: .milliseconds(11), variation: .zero,
      minimum: .nanoseconds(1))
    return [
      .started(path: path, isDialler: true), .stateChanged(from: nil, to: .unconfirmed),
      .stateChanged(from: .established, to: .closing), .left(.timedOut), .pathChanged(path),
      .datagramSizeChanged(from: 1_200, to: 1_452), .sent(packet), .received(packet),
      .dropped(size: 12, reason: .duplicate), .lost(number: 3, size: 64, cause: .timeThreshold),
      .lost(number: 3, size: 64, cause: .memory), .spuriousLoss(number: .max),
      .metrics(
        TraceMetrics(
          roundTrip: roundTrip, probeCount: 1, congestionWindow: 12_000, bytesInFlight: 2,
          packetsInFlight: 1, slowStartThreshold: 7, pacingRate: 1_000)),
      .congestionChanged(from: .slowStart, to: .recovery),
      .redundancyChanged(TraceRedundancy(rides: .max, copies: 2, spacing: .milliseconds(3))),
      .leftOut(9),
    ]
  }

  private static func records(_ text: String) throws -> [[String: Any]] {
    let parts = text.split(separator: "\u{1E}", omittingEmptySubsequences: false)
    #expect(parts.first?.isEmpty == true)
    return try parts.dropFirst().map { part in
      #expect(part.last == "\n")
      return try #require(
        JSONSerialization.jsonObject(with: Data(part.utf8)) as? [String: Any])
    }
  }

  @Test func everyRecordIsJSON() throws {
    let events = Self.everyFact.map {
      TraceEvent(time: TracedPair.start, connection: TraceName(rawValue: 1), fact: $0)
    }
    let records = try Self.records(qlog(events, end: TracedPair.start))
    #expect(records.count == events.count + 2)
    #expect(records[0]["qlog_format"] as? String == "JSON-SEQ")
    #expect(records[0]["title"] as? String == "a \"test\"")
    #expect(records.dropFirst().allSatisfy { $0["group_id"] != nil && $0["time"] != nil })
  }

  @Test func anEmptyTraceHasItsHeaderAndItsEnd() throws {
    let records = try Self.records(qlog([], end: TracedPair.start + .milliseconds(2)))
    #expect(records.count == 2)
    #expect(records[1]["name"] as? String == "patter:trace_ended")
    #expect(records[1]["time"] as? Double == 2)
  }

  @Test func aConnectionReadsAsItDid() throws {
    var pair = TracedPair()
    pair.run(for: .milliseconds(100))
    pair.say("hello")
    pair.run(for: .milliseconds(200))
    let text = qlog(pair.callerEvents(), end: pair.now)
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Qlog/connection.sqlog")
    // After a wanted change: QLOG_WRITE=1 writes the file anew.
    if ProcessInfo.processInfo.environment["QLOG_WRITE"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    let firstDifference = zip(text.split(separator: "\n"), golden.split(separator: "\n"))
      .first { $0 != $1 }
    #expect(firstDifference == nil)
    #expect(text.utf8.count == golden.utf8.count)
  }

  /// Strings are escaped, and numbers have no more digits than they need.
  @Test func valuesAreWrittenPlainly() {
    var bytes: [UInt8] = []
    var json = JSONBytes(taking: &bytes)
    json.beginRecord()
    json.field("a", text: "\u{1}\"\\é")
    json.field("b", milliseconds: .nanoseconds(-1_500_000))
    json.field("c", milliseconds: .nanoseconds(1))
    json.field("d", Int64.min)
    json.endRecord()
    #expect(
      String(decoding: json.take(), as: UTF8.self)
        == "\u{1E}{\"a\":\"\\u0001\\\"\\\\é\",\"b\":-1.5,\"c\":0.000001,"
        + "\"d\":-9223372036854775808}\n")
  }
}
