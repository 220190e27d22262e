public import ChatTransport
public import NetworkEmulator
public import Primitives
public import SocketDriver

/// Runs a machine and the application above it on an event loop: real sockets below, a machine
/// written against the synchronous face above, and no hop between.
///
/// Built by one thread and run by the loop's: see `EventLoop`. Each wake takes in the datagrams
/// that are there, then the timers, then lets the application act, and then sends. It is let go on
/// that thread too, or after the loop has ended.
///
/// While the kernel takes no more the machine is not pulled, and nothing is dropped.
public final class MachineDriver<
  Machine: DatagramMachine & SynchronousTransport & ~Copyable,
  Application: TransportApplication & ~Copyable
> {
  public let loop: EventLoop
  public internal(set) var machine: Machine
  public var application: Application

  typealias Sent = (path: Path, datagram: [UInt8])
  typealias Received = (arrival: Arrival, datagram: [UInt8])

  let sockets: SocketSet
  var outgoing: ImpairedLink<Sent>?
  var incoming: ImpairedLink<Received>?
  /// What is written for the emulated link.
  var buffer: [UInt8] = []
  /// Descriptors that could not be read any more, by errno.
  var deafDescriptors: [Int32: UInt64] = [:]
  /// When to go on with the machine that had more to send than one wake sends.
  var nextPull: Instant?
  /// What else looks at the machine when a wake has done its work.
  var afterWake: ((inout Machine, Instant) -> Void)?

  /// Drives one machine on one socket, for those who know the addresses of their peers.
  ///
  /// - Parameters:
  ///   - address: Our own address and port: port 0 lets the system choose, the address of zeros
  ///     (`0.0.0.0` or `::`) stands for all of the host's in its family.
  ///   - impairment: What happens to datagrams between the machine and the socket.
  public convenience init(
    _ machine: consuming Machine, application: consuming Application, address: SocketAddress,
    options: UDPSocketOptions = UDPSocketOptions(), impairment: ImpairmentSetting = .none,
    loop: EventLoop
  ) throws(UDPOpenError) {
    let socket: UDPSocket
    let seed: UInt64
    do throws(SystemError) {
      socket = try UDPSocket(
        options.configuration(
          family: address.ip.family, address: address.ip, port: address.port))
      seed = try SystemRandom.uint64()
    } catch { throw UDPOpenError(error, port: address.port) }
    try self.init(
      machine, application: application, sockets: SocketSet(sending: [socket]),
      busyPolling: options.busyPolling, impairment: impairment, seed: seed, loop: loop)
  }

  init(
    _ machine: consuming Machine, application: consuming Application, sockets: SocketSet,
    busyPolling: Interval, impairment: ImpairmentSetting, seed: UInt64, loop: EventLoop
  ) throws(UDPOpenError) {
    self.machine = machine
    self.application = application
    self.sockets = sockets
    self.loop = loop
    outgoing = impairment.link(.outgoing, carrying: Sent.self, seed: seed).map(ImpairedLink.init)
    incoming = impairment.link(.incoming, carrying: Received.self, seed: seed)
      .map(ImpairedLink.init)
    loop.busyPolling = max(loop.busyPolling, busyPolling)
    do throws(SystemError) {
      for socket in sockets.all { try listen(to: socket) }
    } catch { throw .system(error) }
    // Looking again at once costs least; but where there are two, each shall come soon.
    let attempts = sockets.own.count == 1 ? 8 : 2
    for socket in sockets.own {
      loop.poll(socket.fileDescriptor) { [unowned self] in
        receive(from: socket, attempts: attempts) > 0
      }
    }
  }

  deinit { unregister() }

  /// Our own address, or the first of them; `nil` once `run` has returned.
  public var localAddress: SocketAddress? { sockets.own.first?.localAddress }

  /// What the driver and its sockets have done.
  public var statistics: UDPDriverStatistics {
    var statistics = UDPDriverStatistics()
    statistics.sockets = sockets.statistics
    statistics.unsendable = sockets.unsendable
    statistics.deafDescriptors = deafDescriptors
    statistics.outgoingLink = outgoing?.statistics
    statistics.incomingLink = incoming?.statistics
    return statistics
  }

  /// Runs on the calling thread until the loop is stopped, and closes the sockets.
  public func run() {
    loop.run { [unowned self] now in wake(at: now) }
    end()
  }

  /// Lets `body` act on the application and the machine; on the loop's thread, or before it runs.
  /// What it leads to is sent at the end of this wake.
  public func perform<Result: ~Copyable, Failure: Error>(
    _ body: (inout Application, inout Machine, Instant) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&application, &machine, loop.now)
  }
}

// MARK: - Descriptors

extension MachineDriver where Machine: ~Copyable, Application: ~Copyable {
  /// Takes in what comes to a socket.
  func listen(to socket: UDPSocket) throws(SystemError) {
    try loop.register(socket.fileDescriptor, for: .readable) { [unowned self] readiness in
      // An error is read too, or it would be told for ever.
      if readiness != .writable { receive(from: socket) }
    }
  }

  /// Listens no more to a descriptor that can only fail again, and would keep the loop spinning.
  func giveUp(_ descriptor: Int32, for error: SystemError) {
    loop.unregister(descriptor)
    deafDescriptors[error.code, default: 0] &+= 1
  }

  /// Has to come before the descriptors are closed: their numbers may soon be those of others.
  private func unregister() {
    for socket in sockets.all { loop.unregister(socket.fileDescriptor) }
  }

  /// Sends what is left, and closes the sockets.
  func end() {
    // A real network would carry what is still on the emulated link although we are gone.
    while let deadline = outgoing?.deadline, let sent = outgoing?.nextDue(at: deadline) {
      sockets.append(sent.datagram.span, to: sent.path)
    }
    sockets.flush(watch: { _, _ in }, tell: { _ in })
    unregister()
    for socket in sockets.all { sockets.remove(socket) }
  }
}
