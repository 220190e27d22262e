import Primitives

/// What `patter who` was asked to do.
struct WhoOptions: Hashable, Sendable {
  /// How long to listen.
  var wait: Interval
  var network: NetworkOptions
  /// Whether those found are printed as JSON.
  var printsJSON: Bool

  init(
    wait: Interval = .seconds(3), network: NetworkOptions = NetworkOptions(),
    printsJSON: Bool = false
  ) {
    self.wait = wait
    self.network = network
    self.printsJSON = printsJSON
  }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    wait = try arguments.value(of: Self.waitOption)
    network = try NetworkOptions(arguments)
    printsJSON = arguments.has(Self.json)
  }

  static let command = CommandDescription(
    name: "who",
    summary: "List who is here, without joining.",
    options: [
      waitOption.description, NetworkOptions.roomOption.description,
      NetworkOptions.connectOption.description, NetworkOptions.interfaceOption.description,
      NetworkOptions.groupOption.description, NetworkOptions.portOption.description,
      json.description,
    ],
    examples: ["patter who", "patter who --room games --wait 500ms --json"],
    makeInvocation: { arguments throws(UsageError) in .who(try WhoOptions(arguments)) })

  static let waitOption = ValueOption(
    "wait", short: "w", "DURATION", .duration, help: "how long to listen"
  ).defaulting(to: "3s")

  static let json = Flag("json", help: "print each peer as a JSON object, one a line")
}
