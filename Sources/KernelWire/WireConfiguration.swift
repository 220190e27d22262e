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
  /// What is done after `impairment`, one after the other and then all from the beginning, each for
  /// as long as `turn` says.
  public var furtherImpairments: [Impairment]
  public var turn: Interval

  public init(
    endpoints: Int = 2, impairment: Impairment = .none, seed: UInt64 = 1,
    losslessTime: Interval = .zero, furtherImpairments: [Impairment] = [],
    turn: Interval = .seconds(1)
  ) {
    precondition((2...250).contains(endpoints), "a wire joins 2 to 250 endpoints")
    precondition(turn > .zero, "a turn takes its time")
    self.endpoints = endpoints
    self.impairment = impairment
    self.seed = seed
    self.losslessTime = losslessTime
    self.furtherImpairments = furtherImpairments
    self.turn = turn
  }

  /// The address of an endpoint, counted from 0.
  public static func address(of endpoint: Int) -> String { "10.77.0.\(endpoint + 1)" }

  /// The impairment of the time in which nothing is lost.
  var beginning: Impairment {
    var impairment = impairment
    impairment.loss = 0
    return impairment
  }

  /// The impairment at a time that is counted from the start.
  func impairment(at time: Interval) -> Impairment {
    guard time >= losslessTime else { return beginning }
    guard !furtherImpairments.isEmpty else { return impairment }
    let turns = (time - losslessTime).nanoseconds / turn.nanoseconds
    let place = Int(turns % Int64(furtherImpairments.count + 1))
    return place == 0 ? impairment : furtherImpairments[place - 1]
  }
}
