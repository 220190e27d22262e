import Benchmarks
import Primitives
import Workloads

/// What `patter bench` was asked to report.
struct BenchOptions: Hashable, Sendable {
  /// What can be measured.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    case throughput
    case latency
    case loss
    case fairness
    case scale
  }

  var kinds: [Kind]
  var printsJSON = false
  var pairs = PairOptions()
  var loss = LossOptions()
  var fairness = FairnessOptions()
  /// How many connections one endpoint holds in `scale`.
  var connections = 10_000

  init(kinds: [Kind]) {
    self.kinds = kinds
  }

  private init(_ arguments: ParsedArguments, _ kinds: [Kind]) throws(UsageError) {
    self.kinds = kinds
    printsJSON = arguments.has(Self.json)
    pairs.runs = try arguments.value(of: Self.runs)
    if kinds == [.throughput] || kinds == [.latency] {
      pairs.only = try arguments.values(of: Self.only)
    }
    if kinds == [.throughput] {
      pairs.duration = try arguments.value(of: Self.duration)
    }
    if kinds == [.latency] { pairs.roundTrips = try arguments.value(of: Self.roundTrips) }
    if kinds == [.scale] { connections = try arguments.value(of: Self.connectionCount) }
    if kinds == [.loss] { try readLoss(arguments) }
    if kinds == [.fairness] { try readFairness(arguments) }
  }

  private mutating func readLoss(_ arguments: ParsedArguments) throws(UsageError) {
    let condition = try arguments.value(of: Self.condition)
    loss = LossOptions(
      condition: condition, plan: try StreamPlan(arguments, instead: condition.plan),
      losses: try arguments.value(of: Self.losses),
      impairment: try arguments.value(of: Self.impairment), seeds: seeds,
      jobs: try arguments.value(of: Self.jobs), rows: try arguments.values(of: Self.rows))
  }

  private mutating func readFairness(_ arguments: ParsedArguments) throws(UsageError) {
    fairness.rates = try arguments.value(of: Self.rates)
    fairness.impairment = try arguments.value(of: Self.sharedImpairment)
    fairness.seconds = try arguments.value(of: Self.seconds)
    fairness.cases = try arguments.values(of: Self.cases)
    fairness.jobs = try arguments.value(of: Self.jobs)
    fairness.seeds = seeds
  }

  /// One for each run.
  private var seeds: [UInt64] { (1...UInt64(pairs.runs)).map { $0 } }

  // MARK: The commands

  static let command = CommandDescription(
    name: "bench",
    summary: "Measure Patter and this machine's plain sockets beside each other.",
    discussion: [
      "Cases are run in turns, each in two processes, and medians are printed with their ratios"
        + " within the run. Without a command throughput, latency and scale are measured; loss"
        + " and fairness take half an hour and have to be asked for.",
      "Figures of a machine that does something else at the same time are worth nothing: where"
        + " that is seen, the exit code is 8.",
    ],
    options: [runs.description, json.description],
    subcommands: Kind.allCases.map(command) + BenchEnds.commands,
    examples: [
      "patter bench throughput --runs 5", "patter bench loss --loss 0,10 --runs 2",
      "patter bench loss --condition burst",
    ],
    makeInvocation: { arguments throws(UsageError) in
      .bench(.report(try BenchOptions(arguments, [.throughput, .latency, .scale])))
    })

  private static func command(of kind: Kind) -> CommandDescription {
    let summary =
      switch kind {
      case .throughput: "Messages a second from one process to another."
      case .latency: "The time there and back, one message after the other."
      case .loss: "How late messages are where packets get lost."
      case .fairness: "What those get who share a bottleneck: TCP, Patter and games."
      case .scale: "What one endpoint with many connections costs."
      }
    var options = [runs.description, json.description]
    switch kind {
    case .throughput: options += [duration.description, only.description]
    case .latency: options += [roundTrips.description, only.description]
    case .scale: options = [connectionCount.description, json.description]
    case .loss:
      options +=
        [
          condition.description, losses.description, rows.description, impairment.description,
          jobs.description,
        ] + StreamPlan.lossOptions
    case .fairness:
      options += [
        rates.description, sharedImpairment.description, seconds.description, cases.description,
        jobs.description,
      ]
    }
    return CommandDescription(
      name: kind.rawValue, summary: summary, options: options,
      makeInvocation: { arguments throws(UsageError) in
        .bench(.report(try BenchOptions(arguments, [kind])))
      })
  }

  static let json = Flag("json", help: "print each row as a JSON object, one a line")
  static let runs = ValueOption(
    "runs", "N", .count, help: "how often each case is run; for loss, each with a seed of its own"
  ).defaulting(to: "5")
  static let duration = ValueOption(
    "secs", "DURATION", .duration, help: "how long each run is measured"
  ).defaulting(to: "2s")
  static let roundTrips = ValueOption(
    "count", "N", .count, help: "how many round trips are measured in each run"
  ).defaulting(to: "20000")
  static let only = ValueOption(
    "only", "CASE", .string, isRepeatable: true, help: "run this case", defaultText: "all")
  static let condition = ValueOption(
    "condition", "NAME", .condition,
    help: "what is sent and how it is lost: iid, burst, chat or lan-chat"
  ).defaulting(to: "iid")
  static let losses = ValueOption(
    "loss", "LIST", .percentages, help: "how many packets of a hundred are lost, each way",
    defaultText: "the condition's")
  static let rows = ValueOption(
    "row", "NAME", .string, isRepeatable: true, help: "run this row",
    defaultText: "the standard ones")
  static let impairment = ValueOption(
    "impair", "IMPAIRMENT", .string, help: "what the wire does besides losing packets",
    defaultText: "the condition's")
  static let rates = ValueOption(
    "rate", "LIST", .megabits, help: "how many Mbit/s pass the bottleneck, each way"
  ).defaulting(to: "10,20")
  static let sharedImpairment = ValueOption(
    "impair", "IMPAIRMENT", .string, help: "what the wire does besides"
  ).defaulting(to: "delay=25ms,queue=50ms")
  static let seconds = ValueOption(
    "secs", "SECONDS", .count, help: "how long is measured, after ten seconds"
  ).defaulting(to: "30")
  static let cases = ValueOption(
    "only", "CASE", .string, isRepeatable: true, help: "run this case", defaultText: "all")
  static let jobs = ValueOption(
    "jobs", "N", .count, help: "how many runs go on at once"
  ).defaulting(to: "2")
  static let connectionCount = ValueOption(
    "connections", "N", .count, help: "how many connections there are"
  ).defaulting(to: "10000")
}
