import NetworkEmulator
import Primitives

/// A machine that sends what it is told to, remembers what it hears, and on request echoes it or
/// chatters at times of its own.
struct ToyMachine: DatagramMachine, ~Copyable {
  struct Heard: Equatable {
    let bytes: [UInt8]
    let arrival: Arrival
    let time: Instant
  }

  var heard: [Heard] = []
  var echoes = false
  var deadline: Instant?
  /// How much later than the present the next deadline is set; `nil` for no more deadlines.
  var period: Interval?
  /// Where to chatter to at each deadline, chosen at random.
  var friends: [Path] = []
  var advances: [Instant] = []
  private var outbox = Queue<(Transmit, [UInt8])>()
  private var generator: SplitMix64

  init(seed: UInt64 = 0) {
    generator = SplitMix64(seed: seed)
  }

  mutating func send(_ bytes: [UInt8], on path: Path, segmentSize: Int? = nil) {
    outbox.append((Transmit(path: path, segmentSize: segmentSize), bytes))
  }

  mutating func receive(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant) {
    var bytes: [UInt8] = []
    for index in datagram.indices { bytes.append(datagram[index]) }
    heard.append(Heard(bytes: bytes, arrival: arrival, time: now))
    // An echo of a group would come back to its sender, and be echoed again.
    if echoes, arrival.path.local?.isMulticast != true { send(bytes, on: arrival.path) }
  }

  mutating func advance(to now: Instant) {
    advances.append(now)
    deadline = period.map { now + $0 }
    guard let friend = friends.randomElement(using: &generator) else { return }
    let size = Int.random(in: 1...32, using: &generator)
    send((0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }, on: friend)
  }

  mutating func nextTransmit(into buffer: inout OutputSpan<UInt8>, at now: Instant) -> Transmit? {
    guard let (transmit, bytes) = outbox.popFirst() else { return nil }
    buffer.append(contentsOf: bytes)
    return transmit
  }
}

typealias ToyNetwork = VirtualNetwork<ToyMachine>

extension VirtualNetwork where Machine == ToyMachine {
  @discardableResult
  func addToy(
    _ number: Int, on segments: [Int] = [0], groups: [SocketAddress] = [],
    families: [IPAddress.Family] = IPAddress.Family.allCases
  ) -> HostID {
    addHost(.numbered(number, on: segments, families: families, groups: groups)) { seed, _ in
      ToyMachine(seed: seed)
    }
  }

  func send(_ bytes: [UInt8], from sender: HostID, to receiver: HostID) {
    let path = path(from: sender, to: receiver)
    withMachine(sender) { machine, _ in machine.send(bytes, on: path) }
  }

  func heard(by host: HostID) -> [ToyMachine.Heard] {
    withMachine(host) { machine, _ in machine.heard }
  }
}
