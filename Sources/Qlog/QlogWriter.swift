public import DatagramPeer
public import Primitives

/// Writes trace events as qlog, in the form of JSON text sequences (RFC 7464), for the viewers that
/// there are for QUIC.
///
/// The schema is that of draft-ietf-quic-qlog-main-schema with `qlog_version` 0.3, and the names of
/// events and fields are those of draft-ietf-quic-qlog-quic-events of that time, which viewers
/// know; what has no name there has one that begins with `patter`. Every record has a `group_id`,
/// by which viewers tell connections apart; Docs/Tracing.md says what is written.
public struct QlogWriter: Sendable {
  /// What was written and not taken yet.
  public var bytes: [UInt8] = []

  private let title: String
  private let referenceTime: UInt64
  private let start: Instant
  private var hasBegun = false

  /// - Parameters:
  ///   - title: what is traced, for people.
  ///   - referenceTime: the time of day at `start`, in milliseconds since 1970 began (UTC).
  ///   - start: the instant from which the times of events are counted.
  public init(title: String, referenceTime: UInt64, start: Instant) {
    self.title = title
    self.referenceTime = referenceTime
    self.start = start
  }

  /// Writes one event.
  public mutating func write(_ event: TraceEvent) {
    if !hasBegun {
      if case .started(_, let isDialler) = event.fact {
        begin(vantagePoint: isDialler ? "client" : "server")
      } else {
        begin(vantagePoint: "unknown")
      }
    }
    record(event.fact.name, of: event.connection, at: event.time) { json in
      event.fact.writeData(into: &json)
    }
  }

  /// Writes the last record. A trace without it was cut off.
  public mutating func end(at now: Instant) {
    if !hasBegun { begin(vantagePoint: "unknown") }
    record("patter:trace_ended", of: nil, at: now) { _ in }
  }

  private mutating func begin(vantagePoint: StaticString) {
    hasBegun = true
    var json = JSONBytes(taking: &bytes)
    json.beginRecord()
    json.field("qlog_version", "0.3")
    json.field("qlog_format", "JSON-SEQ")
    json.field("title", text: title)
    json.object("trace") { json in
      json.object("vantage_point") { json in
        json.field("name", "patter")
        json.field("type", vantagePoint)
      }
      json.field("title", text: title)
      json.object("common_fields") { json in
        json.field("time_format", "relative")
        json.field("reference_time", referenceTime)
        json.array("protocol_type") { json in json.element("PATTER") }
      }
    }
    json.endRecord()
    bytes = json.take()
  }

  private mutating func record(
    _ name: StaticString, of connection: TraceName?, at time: Instant,
    data: (inout JSONBytes) -> Void
  ) {
    var json = JSONBytes(taking: &bytes)
    json.beginRecord()
    json.field("time", milliseconds: time - start)
    json.field("name", name)
    if let connection {
      json.field("group_id", hexadecimal: connection.rawValue)
    } else {
      json.field("group_id", "endpoint")
    }
    json.object("data", data)
    json.endRecord()
    bytes = json.take()
  }
}
