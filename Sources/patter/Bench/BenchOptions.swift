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
    case scale
  }

  var kinds: [Kind]
  var printsJSON = false
  var pairs = PairOptions()
  var loss = LossOptions()
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
  }

  private mutating func readLoss(_ arguments: ParsedArguments) throws(UsageError) {
    loss.losses = try arguments.value(of: Self.losses)
    loss.rows = try arguments.values(of: Self.rows)
    loss.jobs = try arguments.value(of: Self.jobs)
    loss.impairment = try arguments.value(of: Self.impairment)
    loss.seeds = (1...UInt64(pairs.runs)).map { $0 }
    loss.plan = try StreamPlan(arguments)
  }

  // MARK: The commands

  static let command = CommandDescription(
    name: "bench",
    summary: "Measure Patter and this machine's plain sockets beside each other.",
    discussion: [
      "Cases are run in turns, each in two processes, and medians are printed with their ratios"
        + " within the run. Without a command throughput, latency and scale are measured; loss"
        + " takes half an hour and has to be asked for.",
      "Figures of a machine that does something else at the same time are worth nothing: where"
        + " that is seen, the exit code is 8.",
    ],
    options: [runs.description, json.description],
    subcommands: Kind.allCases.map(command) + BenchEnds.commands,
    examples: ["patter bench throughput --runs 5", "patter bench loss --loss 0,10 --runs 2"],
    makeInvocation: { arguments throws(UsageError) in
      .bench(.report(try BenchOptions(arguments, [.throughput, .latency, .scale])))
    })

  private static func command(of kind: Kind) -> CommandDescription {
    let summary =
      switch kind {
      case .throughput: "Messages a second from one process to another."
      case .latency: "The time there and back, one message after the other."
      case .loss: "How late messages are where packets get lost."
      case .scale: "What one endpoint with many connections costs."
      }
    var options = [runs.description, json.description]
    switch kind {
    case .throughput: options += [duration.description, only.description]
    case .latency: options += [roundTrips.description, only.description]
    case .scale: options = [connectionCount.description, json.description]
    case .loss:
      options +=
        [losses.description, rows.description, impairment.description, jobs.description]
        + StreamPlan.lossOptions
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
  static let losses = ValueOption(
    "loss", "LIST", .percentages, help: "how many packets of a hundred are lost, each way"
  ).defaulting(to: "0,5,10,20")
  static let rows = ValueOption(
    "row", "NAME", .string, isRepeatable: true, help: "run this row",
    defaultText: "the standard ones")
  static let impairment = ValueOption(
    "impair", "IMPAIRMENT", .string, help: "what the wire does besides losing packets"
  ).defaulting(to: "delay=25ms")
  static let jobs = ValueOption(
    "jobs", "N", .count, help: "how many runs go on at once"
  ).defaulting(to: "2")
  static let connectionCount = ValueOption(
    "connections", "N", .count, help: "how many connections there are"
  ).defaulting(to: "10000")
}

extension StreamPlan {
  static let flowOption = ValueOption(
    "flows", "N", .count, help: "how many flows, each a connection of its own"
  ).defaulting(to: "40")
  static let rateOption = ValueOption(
    "hz", "RATE", .positive, help: "messages a second of each flow"
  ).defaulting(to: "60")
  static let messageSize = ValueOption(
    "size", "BYTES", .messageSize, help: "bytes of a message"
  ).defaulting(to: "64")

  private static func length(_ text: String) -> DefaultedOption<Double> {
    ValueOption(
      "secs", "SECONDS", .positive, help: "how long is sent, warm-up included"
    ).defaulting(to: text)
  }

  private static func warmUp(_ text: String) -> DefaultedOption<Double> {
    ValueOption(
      "warm", "SECONDS", .notNegative, help: "how much of that is not measured"
    ).defaulting(to: text)
  }

  /// Those of `patter bench loss`, whose runs have to be long enough to be compared.
  static let lossOptions = [
    flowOption.description, rateOption.description, length("18").description,
    warmUp("6").description,
    messageSize.description,
  ]
  /// Those of the ends of a stream, as other programs have them.
  static let endOptions = [
    flowOption.description, rateOption.description, length("20").description,
    warmUp("2").description,
    messageSize.description,
  ]

  init(_ arguments: ParsedArguments, isEnd: Bool = false) throws(UsageError) {
    self.init(
      flows: try arguments.value(of: Self.flowOption),
      rate: try arguments.value(of: Self.rateOption),
      seconds: try arguments.value(of: Self.length(isEnd ? "20" : "18")),
      warmUp: try arguments.value(of: Self.warmUp(isEnd ? "2" : "6")),
      size: try arguments.value(of: Self.messageSize))
    guard flows * Int(messagesPerFlow) <= 50_000_000 else {
      throw .conflict("these flows have more messages than can be kept in mind")
    }
    guard warmUp < seconds else { throw .conflict("--warm leaves nothing of --secs to measure") }
  }
}
