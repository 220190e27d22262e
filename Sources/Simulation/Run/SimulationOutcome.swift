public import Primitives

/// What came of one run.
public struct SimulationOutcome: Hashable, Sendable {
  public var seed: UInt64
  /// What must never happen and did, in the order of time; empty where all went well.
  public var violations: [Violation]
  /// The virtual time from beginning to end.
  public var duration: Interval
  /// From the healing of the network until everything that was promised had come true.
  public var convergence: Interval?
  /// Sent by all hosts.
  public var datagrams: Int
  /// Delivered to all users.
  public var messages: Int

  public var isSuccess: Bool { violations.isEmpty }
}
