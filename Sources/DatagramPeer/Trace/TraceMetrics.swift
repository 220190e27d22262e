public import ChatTransport

/// What a sender goes by (RFC 9002).
public struct TraceMetrics: Hashable, Sendable {
  /// `nil` before the first measurement.
  public var roundTrip: RoundTripTime?
  /// Probe timeouts since the peer last acknowledged something.
  public var probeCount: Int
  /// Bytes that may be in flight.
  public var congestionWindow: Int
  public var bytesInFlight: Int
  public var packetsInFlight: Int
  /// The window up to which slow start goes, in bytes; `nil` where it has not ended yet.
  public var slowStartThreshold: Int?
  /// Bytes per second; `nil` without pacing.
  public var pacingRate: Int?

  public init(
    roundTrip: RoundTripTime?, probeCount: Int, congestionWindow: Int, bytesInFlight: Int,
    packetsInFlight: Int, slowStartThreshold: Int?, pacingRate: Int?
  ) {
    self.roundTrip = roundTrip
    self.probeCount = probeCount
    self.congestionWindow = congestionWindow
    self.bytesInFlight = bytesInFlight
    self.packetsInFlight = packetsInFlight
    self.slowStartThreshold = slowStartThreshold
    self.pacingRate = pacingRate
  }
}
