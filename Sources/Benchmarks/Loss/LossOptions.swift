public import Workloads

/// What is measured under loss.
public struct LossOptions: Hashable, Sendable {
  public var condition: LossCondition
  public var plan: StreamPlan
  /// The losses, as probabilities, each way.
  public var losses: [Double]
  /// What the wire does besides, as an impairment without its loss and seed.
  public var impairment: String
  /// Each run has one of them.
  public var seeds: [UInt64]
  /// How many runs go on at once.
  public var jobs: Int
  /// The names of the rows to run; the standard ones where it is empty.
  public var rows: [String]

  /// What is `nil` is what the condition says.
  public init(
    condition: LossCondition = .independent, plan: StreamPlan? = nil, losses: [Double]? = nil,
    impairment: String? = nil, seeds: [UInt64] = [1, 2, 3, 4, 5], jobs: Int = 2,
    rows: [String] = []
  ) {
    precondition(jobs > 0 && !seeds.isEmpty, "something is run")
    self.condition = condition
    self.plan = plan ?? condition.plan
    self.losses = losses ?? condition.losses
    self.impairment = impairment ?? condition.impairment
    self.seeds = seeds
    self.jobs = jobs
    self.rows = rows
  }
}
