import ChatTransport

/// What `patter chat` was asked to do.
struct ChatOptions: Hashable, Sendable {
  /// The name as given; `nil` for the user's.
  var name: String?
  var network: NetworkOptions
  /// Whether others are looked for; without it only `--connect` and being connected to remain.
  var usesDiscovery: Bool
  /// `reliable` or `unreliable`.
  var delivery: Delivery
  /// The impairment of what is sent, as given.
  var impairment: String?
  /// The file that holds the identity, as given; `nil` for the user's own.
  var identityFile: String?
  /// The file to which a trace is written.
  var traceFile: String?
  /// Whether events are printed as JSON.
  var printsJSON: Bool

  init(
    name: String? = nil, network: NetworkOptions = NetworkOptions(), usesDiscovery: Bool = true,
    delivery: Delivery = .reliable, impairment: String? = nil, identityFile: String? = nil,
    traceFile: String? = nil, printsJSON: Bool = false
  ) {
    self.name = name
    self.network = network
    self.usesDiscovery = usesDiscovery
    self.delivery = delivery
    self.impairment = impairment
    self.identityFile = identityFile
    self.traceFile = traceFile
    self.printsJSON = printsJSON
  }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    name = try arguments.value(of: Self.nameOption)
    network = try NetworkOptions(arguments)
    usesDiscovery = !arguments.has(Self.noDiscovery)
    delivery = try arguments.value(of: Self.deliveryOption)
    impairment = try arguments.value(of: Self.impairOption)
    identityFile = try arguments.value(of: Self.identityOption)
    traceFile = try arguments.value(of: Self.traceOption)
    printsJSON = arguments.has(Self.json)
  }

  static let command = CommandDescription(
    name: "chat",
    summary: "Chat with everybody on this network, without a server.",
    discussion: [
      "Each line of standard input is a message, and each event is a line on standard output. "
        + "The end of input leaves, after what is under way has been acknowledged or 2 seconds "
        + "have passed.",
      "An open room is open: whoever is on the network can read it and speak in it.",
    ],
    options: [
      nameOption.description, NetworkOptions.roomOption.description,
      NetworkOptions.connectOption.description, noDiscovery.description,
      NetworkOptions.interfaceOption.description, NetworkOptions.groupOption.description,
      NetworkOptions.portOption.description, deliveryOption.description, impairOption.description,
      identityOption.description, traceOption.description, json.description,
    ],
    examples: [
      "patter chat --name Luke",
      "patter chat --room games --delivery unreliable",
      "patter chat --connect 192.0.2.7 --no-discovery",
      "patter chat --impair loss=20%,delay=40ms,jitter=10ms,seed=7",
    ],
    makeInvocation: { arguments throws(UsageError) in .chat(try ChatOptions(arguments)) })

  static let nameOption = ValueOption(
    "name", short: "n", "NAME", .string, help: "the name that others see",
    defaultText: "your user name")

  static let noDiscovery = Flag(
    "no-discovery", help: "send no beacons and look for nobody; peers come by --connect")

  static let deliveryOption = ValueOption(
    "delivery", "KIND", .choice(["reliable": Delivery.reliable, "unreliable": .unreliable]),
    help: "reliable: every line arrives; unreliable: lines may be lost, and losses are shown"
  ).defaulting(to: "reliable")

  static let impairOption = ValueOption(
    "impair", "SPEC", .string,
    help: "spoil the network on purpose, such as loss=20%,delay=40ms,jitter=10ms,seed=7, with "
      + "burst=50ms for losses in bursts, rate=1mbit and queue=50ms for a bottleneck: for what is "
      + "sent, with in: before it for what is received, with both: for both")

  static let identityOption = ValueOption(
    "identity", "FILE", .string, help: "keep the identity in this file",
    defaultText: "one of your own, or a fresh one while that is in use")

  static let traceOption = ValueOption(
    "trace", "FILE", .string,
    help: "write what the connections do to this file, as qlog (no text of messages)")

  static let json = Flag("json", help: "print each event as a JSON object, one a line")
}
