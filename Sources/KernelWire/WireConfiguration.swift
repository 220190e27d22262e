public import NetworkEmulator
public import Primitives

/// What a wire does to the packets that cross it.
public struct WireConfiguration: Hashable, Sendable {
  /// How many programs it joins, each in a network of its own, at 10.77.0.1 and upwards; 2 to 250.
  public var endpoints: Int
  /// Done to what goes from any endpoint to any other; each of those ways has fates of its own.
  public var impairment: Impairment
  /// The seed of all fates, for an impairment that has none of its own.
  public var seed: UInt64
  /// For so long after the start nothing is lost, so that connections come to be in every run.
  public var losslessTime: Interval

  public init(
    endpoints: Int = 2, impairment: Impairment = .none, seed: UInt64 = 1,
    losslessTime: Interval = .zero
  ) {
    precondition((2...250).contains(endpoints), "a wire joins 2 to 250 endpoints")
    self.endpoints = endpoints
    self.impairment = impairment
    self.seed = seed
    self.losslessTime = losslessTime
  }

  /// The address of an endpoint, counted from 0.
  public static func address(of endpoint: Int) -> String { "10.77.0.\(endpoint + 1)" }

  /// The impairment of the time in which nothing is lost.
  var beginning: Impairment {
    var impairment = impairment
    impairment.loss = 0
    return impairment
  }
}
