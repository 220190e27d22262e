import Workloads

/// The options by which a plan is given.
extension StreamPlan {
  private static let flowOption = ValueOption(
    "flows", "N", .count, help: "how many flows, each a connection of its own")
  private static let rateOption = ValueOption(
    "hz", "RATE", .positive, help: "messages a second of each flow")
  private static let lengthOption = ValueOption(
    "secs", "SECONDS", .positive, help: "how long is sent, warm-up included")
  private static let warmUpOption = ValueOption(
    "warm", "SECONDS", .notNegative, help: "how much of that is not measured")
  static let messageSize = ValueOption(
    "size", "BYTES", .messageSize, help: "bytes of a message"
  ).defaulting(to: "64")

  /// Those of `patter bench loss`, whose plan is its condition's.
  static let lossOptions = options(
    flows: "the condition's", rate: "the condition's", length: "the condition's",
    warmUp: "the condition's")
  /// Those of the ends of a stream, as other programs have them.
  static let endOptions = options(flows: "40", rate: "60", length: "20", warmUp: "2")
  /// What the ends of a stream do where nothing is said.
  static let ofEnds = StreamPlan(flows: 40, rate: 60, seconds: 20, warmUp: 2)

  private static func options(
    flows: String, rate: String, length: String, warmUp: String
  ) -> [OptionDescription] {
    let defaults = [
      (flowOption.description, flows), (rateOption.description, rate),
      (lengthOption.description, length), (warmUpOption.description, warmUp),
    ]
    return defaults.map { option, text in
      var option = option
      option.defaultText = text
      return option
    } + [messageSize.description]
  }

  /// Reads a plan; what is not given is as in `other`.
  init(_ arguments: ParsedArguments, instead other: StreamPlan) throws(UsageError) {
    self.init(
      flows: try arguments.value(of: Self.flowOption) ?? other.flows,
      rate: try arguments.value(of: Self.rateOption) ?? other.rate,
      seconds: try arguments.value(of: Self.lengthOption) ?? other.seconds,
      warmUp: try arguments.value(of: Self.warmUpOption) ?? other.warmUp,
      size: try arguments.value(of: Self.messageSize))
    guard flows * Int(messagesPerFlow) <= 50_000_000 else {
      throw .conflict("these flows have more messages than can be kept in mind")
    }
    guard warmUp < seconds else { throw .conflict("--warm leaves nothing of --secs to measure") }
  }
}
