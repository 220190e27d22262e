import Primitives

/// The options by which every command that meets others on the network finds them.
struct NetworkOptions: Hashable, Sendable {
  /// Only those in this room are met.
  var room: String
  /// Peers to be reached by address, as given: `HOST`, `HOST:PORT` or `[IPV6]:PORT`.
  var connect: [String]
  /// The names of the interfaces to use; all usable ones where it is empty.
  var interfaces: [String]
  /// The groups to use in place of the program's own, at most one a family.
  var groups: [IPAddress]
  /// The shared port of the beacons.
  var port: UInt16

  init(
    room: String = "lan", connect: [String] = [], interfaces: [String] = [],
    groups: [IPAddress] = [], port: UInt16 = 28420
  ) {
    self.room = room
    self.connect = connect
    self.interfaces = interfaces
    self.groups = groups
    self.port = port
  }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    room = try arguments.value(of: Self.roomOption)
    connect = try arguments.values(of: Self.connectOption)
    interfaces = try arguments.values(of: Self.interfaceOption)
    groups = try arguments.values(of: Self.groupOption)
    port = try arguments.value(of: Self.portOption)
    for family in IPAddress.Family.allCases
    where groups.count(where: { $0.family == family }) > 1 {
      throw .conflict("--group may be given once for IPv4 and once for IPv6")
    }
  }

  static let roomOption = ValueOption(
    "room", short: "r", "NAME", .roomName, help: "the room; other rooms are neither seen nor heard"
  ).defaulting(to: "lan")

  static let connectOption = ValueOption(
    "connect", "HOST[:PORT]", .string, isRepeatable: true,
    help: "reach a peer that multicast does not reach")

  static let interfaceOption = ValueOption(
    "interface", "NAME", .string, isRepeatable: true,
    help: "use this network interface", defaultText: "all usable ones")

  static let groupOption = ValueOption(
    "group", "ADDRESS", .multicastAddress, isRepeatable: true,
    help: "the multicast group to meet in, one for each of IPv4 and IPv6",
    defaultText: "Patter's own")

  static let portOption = ValueOption(
    "port", "PORT", .port, help: "the UDP port to meet at"
  ).defaulting(to: "28420")
}
