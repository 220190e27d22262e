import Primitives

/// What `patter simulate` was asked to do.
struct SimulateOptions: Hashable, Sendable {
  /// The seed of the first run; each further run has the next.
  var seed: UInt64
  var count: Int
  /// Runs until this time is over, in place of a number of runs.
  var seconds: Int?
  var isVerbose: Bool

  init(seed: UInt64 = 1, count: Int = 1, seconds: Int? = nil, isVerbose: Bool = false) {
    self.seed = seed
    self.count = count
    self.seconds = seconds
    self.isVerbose = isVerbose
  }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    seed = try arguments.value(of: Self.seedOption)
    seconds = try arguments.value(of: Self.secondsOption)
    let count = try arguments.value(of: Self.countOption)
    self.count = count ?? 1
    isVerbose = arguments.has(Self.verbose)
    guard count == nil || seconds == nil else {
      throw .conflict("--count and --seconds both say when to stop")
    }
  }

  static let command = CommandDescription(
    name: "simulate",
    summary: "Run the protocol in virtual time with drawn faults.",
    discussion: [
      "Each run draws from its seed how many hosts there are, what they send, and what goes "
        + "wrong; checkers watch what must never happen. Then the network heals, and all that was "
        + "promised has to come true. A failure says how to repeat it. No socket is opened."
    ],
    options: [
      seedOption.description, countOption.description, secondsOption.description,
      verbose.description,
    ],
    examples: ["patter simulate --seed 4711", "patter simulate --count 100"],
    makeInvocation: { arguments throws(UsageError) in
      .simulate(try SimulateOptions(arguments))
    })

  static let seedOption = ValueOption(
    "seed", "N", .seedOrCommit, help: "the seed of the first run, or a commit's hash"
  ).defaulting(to: "1")

  static let countOption = ValueOption(
    "count", "K", .positiveCount, help: "how many runs; each has the next seed",
    defaultText: "1")

  static let secondsOption = ValueOption(
    "seconds", "S", .positiveCount, help: "as many runs as fit into this time")

  static let verbose = Flag("verbose", short: "v", help: "print what is drawn, done and told")
}

extension ValueParser where Value == UInt64 {
  /// A number, or the 40 hexadecimal digits of a commit, of which the first 16 are taken.
  fileprivate static let seedOrCommit = ValueParser(
    expected: "a number below 2^64, or the hash of a commit"
  ) { text in
    let isHash = text.utf8.count == 40 && text.allSatisfy(\.isHexDigit)
    if isHash { return UInt64(text.prefix(16), radix: 16) }
    return text.allSatisfy(\.isWholeNumber) ? UInt64(text) : nil
  }
}

extension ValueParser where Value == Int {
  fileprivate static let positiveCount = ValueParser(expected: "a number of at least 1") { text in
    text.allSatisfy(\.isWholeNumber) ? Int(text).flatMap { $0 > 0 ? $0 : nil } : nil
  }
}
