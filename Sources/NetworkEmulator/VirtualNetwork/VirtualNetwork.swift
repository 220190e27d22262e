public import Primitives

/// Datagram machines on a network of emulated links, in virtual time, with one seed for all.
///
/// Nothing here waits or reads a clock: time jumps from one event to the next, and the same seed
/// with the same calls gives the same run, bit for bit.
///
///     let network = VirtualNetwork<Peer>(seed: 7, impairment: Impairment(loss: 0.2))
///     let a = network.addHost(.numbered(1)) { seed, now in Peer(seed: seed, now: now) }
///     let b = network.addHost(.numbered(2)) { seed, now in Peer(seed: seed, now: now) }
///     network.withMachine(a) { peer, now in peer.connect(to: addressOfB, at: now) }
///     network.run(for: .seconds(10))
///
/// The network fulfils the contract of `DatagramMachine` for each host: it delivers datagrams and
/// calls `advance` at the deadline, and after each call pulls every datagram that the machine has
/// to send. Where a machine has more to say than that, its events are read in ``onActivity``, which
/// runs after each call and before that pull, or by ``withMachine(_:_:)`` between two steps.
///
/// Delivery follows a host's sockets: unicast goes to the host that has the address on the sender's
/// segment, a group to every host of the segment that has joined it, each with a fate of its own,
/// and back to the sender if it has joined too. The receiver is told the sender's address, the
/// address or group that was sent to, its own interface, and as hop limit 255 over IPv6, 64 over
/// IPv4, and 1 for an IPv4 group.
public final class VirtualNetwork<Machine: DatagramMachine & ~Copyable> {
  /// The seed of all fates, and of the seeds that machines are given.
  public let seed: UInt64

  /// The present, which only ``step()`` and the `run` functions move.
  public internal(set) var now: Instant

  /// What every link between two hosts does that has no setting of its own. What a host sends to
  /// itself passes unimpaired unless there is a setting for that. It may be changed at any time.
  public var impairment: Impairment {
    get { fabric.impairment }
    set { fabric.impairment = newValue }
  }

  /// The largest IP packet, in bytes. A datagram may be 28 bytes smaller over IPv4 and 48 over
  /// IPv6; what is larger is not sent.
  public var mtu: Int {
    get { fabric.mtu }
    set { fabric.mtu = newValue }
  }

  /// The largest number of datagrams under way, copies included; 1,048,576 at first.
  public var capacity: Int {
    get { fabric.capacity }
    set { fabric.capacity = newValue }
  }

  /// Sees everything that happens to every datagram. It must not call back into the network.
  public var tap: ((CapturedDatagram) -> Void)? {
    get { fabric.tap }
    set { fabric.tap = newValue }
  }

  /// After how many steps without time moving on the run is given up as a livelock, with a message
  /// that names the seed and the host.
  public var maximumStepsAtOneInstant = 200_000

  /// Called with a machine after it was started, advanced, handed a datagram, or used by
  /// `withMachine`, before what it has to send is pulled: the place to read its events, to answer
  /// them, and to check what must always hold. It must not call back into the network; what
  /// concerns several hosts is done between two steps.
  public var onActivity: ((HostID, inout Machine, Instant) -> Void)?

  var fabric: VirtualFabric
  /// The machines, by the numbers of their hosts.
  var runners: [Runner] = []
  /// When each machine wants to be advanced, `.never` where it does not.
  var deadlines: [Instant] = []
  var stepsAtThisInstant = 0
  private var buffer: [UInt8] = []

  public init(seed: UInt64, impairment: Impairment = .none, startingAt now: Instant = .zero) {
    self.seed = seed
    self.now = now
    fabric = VirtualFabric(seed: seed, impairment: impairment)
  }

  /// Lends the machine of a host, and pulls what it has to send afterwards.
  public func withMachine<Result: ~Copyable, Failure: Error>(
    _ id: HostID, _ body: (inout Machine, Instant) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(fabric.contains(id), "\(id) is not on the network")
    guard let box = runners[id.number].box else { preconditionFailure("\(id) has no machine") }
    defer { settle(id) }
    return try body(&box.machine, now)
  }

  /// Reads a machine's events, pulls all it has to send and notes its deadline.
  func settle(_ id: HostID) {
    // Whoever was lent the machine may have taken its host off the network.
    guard let box = runners[id.number].box else { return }
    onActivity?(id, &box.machine, now)
    var pulls = 0
    while let transmit = pull(from: box) {
      pulls += 1
      if pulls > maximumPulls { reportEndlessSending(id) }
      send(transmit, from: id)
    }
    deadlines[id.number] = box.machine.deadline ?? .never
  }

  private func pull(from box: Box) -> Transmit? {
    let now = now
    buffer.removeAll(keepingCapacity: true)
    var transmit: Transmit?
    buffer.append(addingCapacity: largestTransmit) { output in
      transmit = box.machine.nextTransmit(into: &output, at: now)
    }
    return transmit
  }

  /// Sends what is in the buffer, which may be several datagrams.
  private func send(_ transmit: Transmit, from id: HostID) {
    guard let size = transmit.segmentSize else {
      return fabric.send([UInt8](buffer[...]), from: id, on: transmit.path, at: now)
    }
    precondition(size > 0, "\(id) sends segments without size")
    for start in stride(from: 0, to: buffer.count, by: size) {
      let end = min(start + size, buffer.count)
      fabric.send([UInt8](buffer[start..<end]), from: id, on: transmit.path, at: now)
    }
  }

  /// Gives up. Loud in release builds too, which drop the messages of preconditions.
  private func reportEndlessSending(_ id: HostID) -> Never {
    fatalError(
      "seed \(seed), \(now.nanoseconds) ns: \(id) has sent without end after one call; "
        + "nextTransmit has to return nil when nothing is left")
  }
}

extension VirtualNetwork where Machine: ~Copyable {
  /// Holds a machine that cannot be copied where a reference is wanted.
  final class Box {
    var machine: Machine

    init(_ machine: consuming Machine) {
      self.machine = machine
    }
  }

  /// The place of a host's machine.
  final class Runner {
    /// `nil` for a host that only hears, and for one that was removed.
    var box: Box?
    /// How many machines there were.
    var incarnations: UInt64 = 0
  }
}

extension Instant {
  /// Stands for no deadline, so that deadlines compare as plain numbers.
  static let never = Instant(nanoseconds: .max)
}

/// What a machine may write at once: the most that segmentation offload takes.
private let largestTransmit = 65_535

private let maximumPulls = 100_000
