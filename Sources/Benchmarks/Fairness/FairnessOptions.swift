/// What is measured of those who share a bottleneck.
public struct FairnessOptions: Hashable, Sendable {
  /// What the wire does, as an impairment without its rate and seed.
  public var impairment: String
  /// Rates of the bottleneck, in bits a second.
  public var rates: [Int]
  /// How long is measured, after the warm-up, in seconds.
  public var seconds: Int
  public var warmUp: Int
  /// Each run has one of them.
  public var seeds: [UInt64]
  /// How many runs go on at once.
  public var jobs: Int
  /// The names of the cases to run; all where it is empty.
  public var cases: [String]

  public init(
    impairment: String = "delay=25ms,queue=50ms", rates: [Int] = [10_000_000, 20_000_000],
    seconds: Int = 30, warmUp: Int = 10, seeds: [UInt64] = [1], jobs: Int = 2,
    cases: [String] = []
  ) {
    precondition(!rates.isEmpty && !seeds.isEmpty && jobs > 0, "something is run")
    precondition(seconds > 0 && warmUp >= 0, "something is measured")
    self.impairment = impairment
    self.rates = rates
    self.seconds = seconds
    self.warmUp = warmUp
    self.seeds = seeds
    self.jobs = jobs
    self.cases = cases
  }
}
