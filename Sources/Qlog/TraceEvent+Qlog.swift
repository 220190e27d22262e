import ChatTransport
import DatagramPeer
import Primitives

extension TraceEvent.Fact {
  /// The event's name: its category and its type.
  var name: StaticString {
    switch self {
    case .started: "connectivity:connection_started"
    case .stateChanged: "connectivity:connection_state_updated"
    case .left: "connectivity:connection_closed"
    case .pathChanged: "patter:path_changed"
    case .datagramSizeChanged: "connectivity:mtu_updated"
    case .sent: "transport:packet_sent"
    case .received: "transport:packet_received"
    case .dropped: "transport:packet_dropped"
    case .lost: "recovery:packet_lost"
    case .spuriousLoss: "patter:spurious_loss"
    case .metrics: "recovery:metrics_updated"
    case .congestionChanged: "recovery:congestion_state_updated"
    case .redundancyChanged: "patter:redundancy_updated"
    case .leftOut: "patter:events_left_out"
    }
  }

  func writeData(into json: inout JSONBytes) {
    switch self {
    case .started(let path, let isDialler):
      path.write(into: &json)
      json.field("patter_role", isDialler ? "client" : "server")
    case .stateChanged(let old, let new):
      if let old { json.field("old", old.name) }
      json.field("new", new.name)
    case .left(let reason): reason.write(into: &json)
    case .pathChanged(let path): path.write(into: &json)
    case .datagramSizeChanged(let old, let new):
      json.field("old", old)
      json.field("new", new)
    case .sent(let packet): packet.write(into: &json)
    case .received(let packet): packet.write(into: &json)
    case .dropped(let size, let reason):
      json.object("raw") { json in json.field("length", size) }
      json.field("trigger", reason.trigger)
      json.field("patter_reason", text: "\(reason)")
    case .lost(let number, let size, let cause):
      json.header(number)
      json.object("raw") { json in json.field("length", size) }
      if let trigger = cause.trigger { json.field("trigger", trigger) }
    case .spuriousLoss(let number): json.header(number)
    case .metrics(let metrics): metrics.write(into: &json)
    case .congestionChanged(let old, let new):
      if let old { json.field("old", old.name) }
      json.field("new", new.name)
    case .redundancyChanged(let redundancy): redundancy.write(into: &json)
    case .leftOut(let count): json.field("count", count)
    }
  }
}

extension JSONBytes {
  mutating func header(_ number: UInt64) {
    object("header") { json in
      json.field("packet_type", "1RTT")
      json.field("packet_number", number)
    }
  }
}

extension Path {
  fileprivate func write(into json: inout JSONBytes) {
    json.field("ip_version", remote.ip.family == .ipv4 ? "v4" : "v6")
    // Where it is not there, the system chooses it.
    if let local { json.field("src_ip", text: "\(local)") }
    json.field("dst_ip", text: "\(remote.ip)")
    json.field("dst_port", remote.port)
    json.field("patter_interface", interface)
  }
}

extension TraceState {
  /// What comes nearest in the schema.
  fileprivate var name: StaticString {
    switch self {
    case .unconfirmed: "handshake_started"
    case .established: "handshake_confirmed"
    case .closing: "closing"
    case .draining: "draining"
    case .ended: "closed"
    }
  }
}

extension LeaveReason {
  fileprivate func write(into json: inout JSONBytes) {
    let (owner, trigger): (StaticString, StaticString) =
      switch self {
      case .closedByUs: ("local", "clean")
      case .closedByThem: ("remote", "clean")
      case .timedOut: ("local", "idle_timeout")
      case .replaced: ("local", "unspecified")
      case .refused: ("local", "error")
      case .brokeProtocol: ("local", "error")
      }
    json.field("owner", owner)
    json.field("reason", text: rawValue)
    json.field("trigger", trigger)
  }
}

extension DropCounters.Reason {
  /// What comes nearest in the schema.
  fileprivate var trigger: StaticString {
    switch self {
    case .unknownKind, .malformed: "header_parse_error"
    case .unknownConnection: "unknown_connection_id"
    case .duplicate: "duplicate"
    case .acknowledgementOfUnsent, .badCookie, .badProbe, .badReset: "protocol_violation"
    case .noRoom, .unprovenPath, .tooManyConnections: "dos_prevention"
    case .otherVersion: "unsupported_version"
    case .otherTopic, .wrongIncarnation, .unexpectedAnswer, .simultaneousOpen, .identityInUse,
      .closing:
      "unexpected_packet"
    }
  }
}

extension TraceLossCause {
  fileprivate var trigger: StaticString? {
    switch self {
    case .packetThreshold: "reordering_threshold"
    case .timeThreshold: "time_threshold"
    case .memory: nil
    }
  }
}

extension TraceCongestion {
  fileprivate var name: StaticString {
    switch self {
    case .slowStart: "slow_start"
    case .congestionAvoidance: "congestion_avoidance"
    case .recovery: "recovery"
    }
  }
}

extension TraceRedundancy {
  fileprivate func write(into json: inout JSONBytes) {
    if rides == .max {
      json.field("rides", "all")
    } else {
      json.field("rides", rides)
    }
    json.field("copies", copies)
    if copies > 0 { json.field("spacing", milliseconds: spacing) }
  }
}

extension TraceMetrics {
  fileprivate func write(into json: inout JSONBytes) {
    if let roundTrip {
      json.field("min_rtt", milliseconds: roundTrip.minimum)
      json.field("smoothed_rtt", milliseconds: roundTrip.smoothed)
      json.field("latest_rtt", milliseconds: roundTrip.latest)
      json.field("rtt_variance", milliseconds: roundTrip.variation)
    }
    json.field("pto_count", probeCount)
    json.field("congestion_window", congestionWindow)
    json.field("bytes_in_flight", bytesInFlight)
    json.field("packets_in_flight", packetsInFlight)
    if let slowStartThreshold { json.field("ssthresh", slowStartThreshold) }
    // In bits per second.
    if let pacingRate { json.field("pacing_rate", pacingRate * 8) }
  }
}
