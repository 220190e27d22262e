import Benchmarks
import ChatTransport
import KernelWire
import NetworkEmulator
import Primitives
import Workloads

/// The programs at the ends of what is measured, as commands of their own: two of them may be run
/// on two machines, or beside programs that measure the same of other protocols.
enum BenchEnds {
  static let commands: [CommandDescription] =
    [.server, .client].flatMap { (role: BenchTask.Role) in
      [stream(role), flood(role), echo(role)]
    } + [floor, wire, forged]

  private static func name(_ what: String, _ role: BenchTask.Role) -> String {
    "\(what)-\(role.rawValue)"
  }

  private static func stream(_ role: BenchTask.Role) -> CommandDescription {
    CommandDescription(
      name: name("stream", role),
      summary: role == .server
        ? "Take in flows of messages, and tell how late they were." : "Send flows of messages.",
      options: StreamPlan.endOptions
        + [
          ip.description, port.description, carrier.description, congestion.description,
          delivery.description, redundancy.description, copies.description, spacing.description,
          datagramSize.description, grace.description, trace.description,
        ] + (role == .server ? [samples.description] : []),
      makeInvocation: { arguments throws(UsageError) in
        let carrier = try arguments.value(of: carrier)
        var program = StreamProgram(
          plan: try StreamPlan(arguments, instead: StreamPlan.ofEnds), carrier: carrier,
          address: try address(arguments), congestion: try arguments.value(of: congestion),
          settings: try settings(arguments),
          grace: try arguments.value(of: grace) ?? .seconds(carrier == .tcp ? 15 : 3))
        program.tellsSamples = arguments.has(samples)
        if carrier != .tcp, program.congestion != nil {
          throw .conflict("--congestion is of TCP alone")
        }
        if carrier != .patter, program.settings.traceFile != nil {
          throw .conflict("--trace is of the carrier patter alone")
        }
        return .bench(.stream(program, role))
      })
  }

  private static func flood(_ role: BenchTask.Role) -> CommandDescription {
    CommandDescription(
      name: name("flood", role),
      summary: role == .server
        ? "Take in messages as fast as they come." : "Send messages as fast as they are taken.",
      options: [
        ip.description, port.description, StreamPlan.messageSize.description,
        BenchOptions.duration.description, warmUp.description, face.description,
        floodCarrier.description, congestion.description, delivery.description,
        batch.description, datagramSize.description, trace.description,
      ],
      makeInvocation: { arguments throws(UsageError) in
        let settings = try settings(arguments)
        let face = try arguments.value(of: face)
        let carrier = try arguments.value(of: floodCarrier)
        let congestion = try arguments.value(of: congestion)
        if congestion != nil, carrier != .tcp { throw .conflict("--congestion is of TCP alone") }
        if face != .loop, settings.traceFile != nil {
          throw .conflict("--trace is of the face loop alone")
        }
        let plan = FloodPlan(
          size: try arguments.value(of: StreamPlan.messageSize),
          warmUp: try arguments.value(of: warmUp),
          duration: try arguments.value(of: BenchOptions.duration),
          batch: try arguments.value(of: batch), options: settings.options)
        return .bench(
          .flood(
            FloodProgram(
              address: try address(arguments), plan: plan, face: face, settings: settings,
              carrier: carrier, congestion: congestion),
            role))
      })
  }

  private static func echo(_ role: BenchTask.Role) -> CommandDescription {
    CommandDescription(
      name: name("echo", role),
      summary: role == .server
        ? "Send back what comes." : "Measure the time there and back, message by message.",
      options: [
        ip.description, port.description, StreamPlan.messageSize.description,
        BenchOptions.roundTrips.description, face.description, delivery.description,
        busy.description,
      ],
      makeInvocation: { arguments throws(UsageError) in
        var settings = try settings(arguments)
        let face = try arguments.value(of: face)
        if face == .thread { throw .conflict("a conversation has the faces loop and async") }
        if arguments.has(busy) { settings.busyPolling = .milliseconds(10) }
        return .bench(
          .echo(
            EchoProgram(
              address: try address(arguments),
              size: try arguments.value(of: StreamPlan.messageSize),
              roundTrips: try arguments.value(of: BenchOptions.roundTrips),
              face: face, settings: settings), role))
      })
  }

  // MARK: For this program's own use

  private static let floor = CommandDescription(
    name: "floor", summary: "One end of a measurement of plain sockets.",
    arguments: [caseName.description, roleName.description],
    options: [BenchOptions.duration.description, BenchOptions.roundTrips.description],
    isHidden: true,
    makeInvocation: { arguments throws(UsageError) in
      guard let floor = try arguments.value(of: caseName),
        let role = try arguments.value(of: roleName)
      else { throw .missingArgument("CASE") }
      return .bench(
        .floor(
          FloorProgram(
            floor: floor, isServer: role == .server,
            duration: try arguments.value(of: BenchOptions.duration),
            roundTrips: try arguments.value(of: BenchOptions.roundTrips))))
    })

  private static let wire = CommandDescription(
    name: "wire", summary: "Programs with a wire between them, in networks of their own.",
    arguments: [words.description],
    options: [
      impairment.description, turn.description, seed.description, lossless.description,
      limit.description,
    ],
    isHidden: true,
    makeInvocation: { arguments throws(UsageError) in
      let parts = try arguments.values(of: words).split(separator: LossBenchmark.separator)
      guard parts.count >= 2, parts.count.isMultiple(of: 2) else {
        throw .missingArgument("CLIENT")
      }
      let pairs = stride(from: 0, to: parts.count, by: 2).map { place in
        WireProgram.Pair(server: Array(parts[place]), client: Array(parts[place + 1]))
      }
      let impairments = try arguments.values(of: impairment)
      guard try arguments.value(of: turn) > .zero else { throw .conflict("--turn takes no time") }
      let configuration = WireConfiguration(
        impairment: impairments.first ?? .none, seed: try arguments.value(of: seed),
        losslessTime: try arguments.value(of: lossless),
        furtherImpairments: Array(impairments.dropFirst()), turn: try arguments.value(of: turn))
      return .bench(
        .wire(
          WireProgram(
            configuration: configuration, pairs: pairs,
            limit: try arguments.value(of: limit))))
    })

  private static let forged = CommandDescription(
    name: "forged", summary: "Forged attempts to connect, and what is left of them.",
    options: [attempts.description],
    isHidden: true,
    makeInvocation: { arguments throws(UsageError) in
      .bench(.forgery(ForgeryProgram(attempts: try arguments.value(of: attempts))))
    })

  private static let attempts = ValueOption(
    "attempts", "N", .count, help: "how many, each from another address"
  ).defaulting(to: "1000000")
  private static let caseName = Argument(
    "CASE",
    ValueParser(expected: "the name of a case") { FloorCase.named($0) }, isRequired: true,
    help: "which")
  private static let roleName = Argument(
    "ROLE", ValueParser.choice(["server": BenchTask.Role.server, "client": .client]),
    isRequired: true, help: "which end")
  private static let words = Argument(
    "WORDS", .string, isRequired: true, isRepeatable: true,
    help: "a server, :: and its client, and perhaps more such pairs with :: between them")
  private static let impairment = ValueOption(
    "impair", "IMPAIRMENT", .impairment, isRepeatable: true,
    help: "what the wire does to packets; several take turns")
  private static let turn = ValueOption(
    "turn", "DURATION", .duration, help: "how long a turn takes"
  ).defaulting(to: "1s")
  private static let seed = ValueOption(
    "seed", "N", .seed, help: "the seed of all fates"
  ).defaulting(to: "1")
  private static let lossless = ValueOption(
    "lossless", "DURATION", .duration, help: "for how long nothing is lost at first"
  ).defaulting(to: "0s")
  private static let limit = ValueOption(
    "limit", "DURATION", .duration, help: "how long the server may run"
  ).defaulting(to: "60s")
}

// MARK: - Options that ends share

extension BenchEnds {
  private static func address(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> SocketAddress {
    SocketAddress(ip: try arguments.value(of: ip), port: try arguments.value(of: port))
  }

  private static func settings(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> PatterSettings {
    var settings = PatterSettings()
    settings.delivery = try arguments.value(of: delivery)
    settings.redundancy = try arguments.value(of: redundancy)
    settings.copies = try arguments.value(of: copies) ?? 0
    settings.spacing = try arguments.value(of: spacing)
    settings.maximumDatagramSize = try arguments.value(of: datagramSize)
    settings.traceFile = try arguments.value(of: trace)
    return settings
  }

  private static let ip = ValueOption(
    "ip", "ADDRESS", .ipv4, help: "the address of the server"
  ).defaulting(to: "127.0.0.1")
  private static let port = ValueOption(
    "port", "PORT", .port, help: "the port of the server"
  ).defaulting(to: "9000")
  private static let carrier = ValueOption(
    "carrier", "NAME", .carrier, help: "what carries the flows: udp, tcp or patter"
  ).defaulting(to: "patter")
  private static let floodCarrier = ValueOption(
    "carrier", "NAME", .floodCarrier, help: "what carries the flood: tcp or patter"
  ).defaulting(to: "patter")
  private static let warmUp = ValueOption(
    "warm", "DURATION", .duration, help: "for how long is sent before it is measured"
  ).defaulting(to: "300ms")
  private static let congestion = ValueOption(
    "congestion", "NAME", .string, help: "the congestion control of TCP",
    defaultText: "the system's")
  private static let delivery = ValueOption(
    "delivery", "KIND", .anyDelivery, help: "unreliable, sequenced, reliable or ordered"
  ).defaulting(to: "ordered")
  private static let redundancy = ValueOption(
    "redundancy", "HOW", .redundancy,
    help: "how messages ride again: none, all, adaptive or a number of datagrams",
    defaultText: "the protocol's")
  private static let copies = ValueOption(
    "copies", "N", .count, help: "early copies of each datagram", defaultText: "none")
  private static let spacing = ValueOption(
    "spacing", "DURATION", .duration, help: "the time between early copies"
  ).defaulting(to: "5ms")
  private static let datagramSize = ValueOption(
    "datagram-size", "BYTES", .datagramSize, help: "the largest datagram that is tried",
    defaultText: "the protocol's")
  private static let grace = ValueOption(
    "grace", "DURATION", .duration, help: "how long what is missing is waited for",
    defaultText: "3s, and 15s over TCP")
  private static let samples = Flag("samples", help: "print every latency too, in a line before")
  private static let face = ValueOption(
    "face", "NAME", .face, help: "which face of the interface is used: loop, thread or async"
  ).defaulting(to: "loop")
  private static let batch = ValueOption(
    "batch", "N", .count, help: "how many messages are handed over in one call"
  ).defaulting(to: "64")
  private static let trace = ValueOption(
    "trace", "FILE", .string, help: "write what happens to this file, as qlog")
  private static let busy = Flag("busy", help: "poll without sleeping")
}
