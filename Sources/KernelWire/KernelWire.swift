import CSockets
import Host
import NetworkEmulator
public import Primitives
import SocketDriver

/// Joins programs, each in a network of its own, by links that delay and lose their packets: what
/// crosses it are real packets of the kernel's UDP and TCP.
///
/// It changes the network of the calling process for good, and its user namespace where that has
/// to be, so it belongs into a process of its own that has no second thread. Whatever it starts
/// dies with that process, and the networks with them.
public final class KernelWire {
  private typealias Packet = [UInt8]

  public let configuration: WireConfiguration
  public private(set) var statistics = WireStatistics()

  private let loop: EventLoop
  private var networks: [OwnNetwork] = []
  /// From each endpoint to each, at `from * endpoints + to`.
  private var links: [EmulatedLink<Packet>] = []
  /// Conversations by the order in which they began: their role, whatever ports they have.
  private var flows: [PacketHeader.Conversation: UInt32] = [:]
  private var children: [ChildProcess] = []
  /// Those among them whose end is waited for.
  private var awaited: [ChildProcess] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private var start = Instant.zero
  private var impairment: Impairment

  /// Conversations beyond this many share one flow.
  private static let flowLimit = 1_024
  /// The longest wait: a child that has ended must be noticed.
  private static let longestWait = Interval.milliseconds(20)
  private static let packetsAtOnce = 64

  /// Makes the networks.
  public init(_ configuration: WireConfiguration) throws(WireError) {
    self.configuration = configuration
    impairment = configuration.impairment(at: .zero)
    do throws(SystemError) {
      loop = try EventLoop()
    } catch { throw .system(error) }
    for endpoint in 0..<configuration.endpoints {
      networks.append(try OwnNetwork(address: 10 << 24 | 77 << 16 | UInt32(endpoint + 1)))
    }
    for number in 0..<(configuration.endpoints * configuration.endpoints) {
      links.append(
        EmulatedLink(
          impairment: impairment, seed: configuration.seed, link: UInt32(number)))
    }
    for endpoint in 0..<configuration.endpoints {
      do throws(SystemError) {
        try loop.register(networks[endpoint].tunnel, for: .readable) { [unowned self] _ in
          takePackets(of: endpoint)
        }
      } catch { throw .system(error) }
    }
  }

  /// Starts a program in the network of an endpoint. Its standard output is that of this process.
  public func start(
    _ words: [String], at endpoint: Int, isAwaited: Bool
  ) throws(SystemError) {
    let child = try ChildProcess(
      ChildCommand(words, capturesOutput: false, network: networks[endpoint].namespace))
    children.append(child)
    if isAwaited { awaited.append(child) }
  }

  /// Carries packets until all programs that are awaited have ended, or `limit` has passed. Returns
  /// the largest of their exit codes, or `nil` where one had to be killed. The others are killed.
  public func run(limit: Interval) -> Int32? {
    start = SystemClock.now()
    let end = start + limit
    loop.run { [unowned self] now in
      let isOver = awaited.reduce(true) { $1.poll() && $0 }
      if isOver || now >= end { loop.handle.stop() }
      let next = configuration.impairment(at: now - start)
      if next != impairment {
        impairment = next
        for index in links.indices { links[index].impairment = next }
      }
      return Instant.earlier(release(), now + Self.longestWait)
    }
    for link in links { statistics.links += link.statistics }
    statistics.queueDrops = networks.reduce(0) { $0 + $1.queueDrops() }
    let codes = awaited.map(\.exitCode)
    awaited.removeAll()
    children.removeAll()
    return codes.contains(nil) ? nil : codes.compactMap { $0 }.max() ?? 0
  }

  // MARK: Packets

  private func takePackets(of endpoint: Int) {
    for _ in 0..<Self.packetsAtOnce {
      let count = unsafe patter_packet_read(networks[endpoint].tunnel, &buffer, buffer.count)
      guard count > 0 else { return }
      take(Packet(buffer[..<Int(count)]), from: endpoint)
    }
  }

  private func take(_ packet: Packet, from source: Int) {
    guard let header = PacketHeader(packet.span) else {
      statistics.strays += 1
      return
    }
    let now = SystemClock.now()
    let flow = header.conversation.map(flow) ?? 0
    if header.isForAll {
      for target in 0..<configuration.endpoints where target != source {
        offer(packet, from: source, to: target, flow: flow, at: now)
      }
      return
    }
    let target = Int(header.host) - 1
    guard (0..<configuration.endpoints).contains(target) else {
      statistics.strays += 1
      return
    }
    offer(packet, from: source, to: target, flow: flow, at: now)
  }

  private func offer(
    _ packet: Packet, from source: Int, to target: Int, flow: UInt32, at now: Instant
  ) {
    links[source * configuration.endpoints + target]
      .offer(packet, size: packet.count, flow: flow, at: now)
  }

  private func flow(of conversation: PacketHeader.Conversation) -> UInt32 {
    if let flow = flows[conversation] { return flow }
    guard flows.count < Self.flowLimit else { return UInt32(Self.flowLimit) }
    let flow = UInt32(flows.count + 1)
    flows[conversation] = flow
    return flow
  }

  /// Hands over what is due, and returns when the next is.
  private func release() -> Instant? {
    var next: Instant?
    for index in links.indices {
      while let due = links[index].deadline {
        let now = SystemClock.now()
        guard due <= now, let packet = links[index].nextDue(at: now) else {
          next = Instant.earlier(next, due)
          break
        }
        if statistics.lateness.count < WireStatistics.latenessLimit {
          statistics.lateness.append(UInt64((now - due).nanoseconds))
        }
        let tunnel = networks[index % configuration.endpoints].tunnel
        let written = unsafe patter_packet_write(tunnel, packet, packet.count)
        if written < 0 { statistics.refusals += 1 }
      }
    }
    return next
  }
}
