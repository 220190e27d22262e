import CBenchmarks
import ChatTransport
import Host
import PeerDiscovery
import Primitives
import SocketDriver
import UDPTransport
import Workloads

/// A flood through the interface for applications: the loop has a thread of its own, and messages
/// change threads on their way.
///
/// On the face `thread` the sender is a plain thread, which hands runs over and is blocked while
/// there is no room; on `async` it is a task. The receiver is a task in both; it reads events in
/// batches, or on `async` one by one.
enum ThreadedFlood {
  /// What the events tell the sender.
  private struct News {
    var peer: PeerID?
    var failure: LeaveReason?
  }

  static func serve(_ program: FloodProgram) throws(BenchmarkError) -> FloodEnd<FloodReceiver> {
    let transport = try open(program, connect: [])
    let (plan, readsBatches) = (program.plan, program.face == .thread)
    return wait {
      var end = FloodEnd(application: FloodReceiver(plan))
      if readsBatches {
        await receiveBatches(transport, &end)
      } else {
        await receiveOneByOne(transport, &end)
      }
      await transport.close()
      return end
    }
  }

  static func dial(_ program: FloodProgram) throws(BenchmarkError) -> FloodEnd<FloodCounter> {
    let transport = try open(program, connect: [program.address])
    let news = Locked(News())
    Task.detached { await read(transport, into: news) }
    let peer = try waitForPeer(news)
    let plan = program.plan
    let end: FloodEnd<FloodCounter>
    if program.face == .thread {
      end = send(plan, over: transport, to: peer)
    } else {
      end = wait { await sendAsynchronously(plan, over: transport, to: peer) }
    }
    wait { await transport.close() }
    let failure = news.withLock { $0.failure }
    if let failure, failure != .closedByUs {
      throw .failed("flood-client", "the connection ended: \(failure.rawValue)")
    }
    return end
  }

  // MARK: Receiving

  private static func receiveBatches(
    _ transport: UDPTransport, _ end: inout FloodEnd<FloodReceiver>
  ) async {
    while !end.application.isOver {
      let batch = await transport.events.nextBatch()
      if batch.isEmpty { return }
      for event in batch { end.application.take(event) }
      end.look(end.application.received)
    }
  }

  private static func receiveOneByOne(
    _ transport: UDPTransport, _ end: inout FloodEnd<FloodReceiver>
  ) async {
    for await event in transport.events {
      end.application.take(event)
      // The clock costs as much as a message: it is looked at now and then.
      if end.application.received & 63 == 0 { end.look(end.application.received) }
      if end.application.isOver { return }
    }
  }

  // MARK: Sending

  private static func send(
    _ plan: FloodPlan, over transport: UDPTransport, to peer: PeerID
  ) -> FloodEnd<FloodCounter> {
    var end = FloodEnd(application: FloodCounter(plan))
    var run = MessageRun()
    do throws(SendError) {
      while !end.application.isOver(at: SystemClock.now()) {
        end.application.fill(&run)
        while !run.isEmpty {
          let taken = try transport.send(&run, to: peer, plan.options)
          end.application.sent += UInt64(taken)
          if taken == 0 { transport.blockUntilRoom(for: peer) }
        }
        end.look(end.application.sent)
      }
    } catch {
      // The peer has left, and the events say why.
    }
    return end
  }

  private static func sendAsynchronously(
    _ plan: FloodPlan, over transport: UDPTransport, to peer: PeerID
  ) async -> FloodEnd<FloodCounter> {
    var end = FloodEnd(application: FloodCounter(plan))
    var run = MessageRun()
    do throws(SendError) {
      while !end.application.isOver(at: SystemClock.now()) {
        end.application.fill(&run)
        let count = run.count
        try await transport.sendAll(&run, to: peer, plan.options)
        end.application.sent += UInt64(count)
        end.look(end.application.sent)
      }
    } catch {
      // The peer has left, and the events say why.
    }
    return end
  }

  private static func read(_ transport: UDPTransport, into news: Locked<News>) async {
    while true {
      let batch = await transport.events.nextBatch()
      if batch.isEmpty { return }
      for event in batch {
        switch event {
        case .peerJoined(let peer, _): news.withLock { $0.peer = $0.peer ?? peer }
        case .peerLeft(_, let reason): news.withLock { $0.failure = $0.failure ?? reason }
        default: break
        }
      }
    }
  }

  private static func waitForPeer(_ news: Locked<News>) throws(BenchmarkError) -> PeerID {
    let limit = SystemClock.now() + .seconds(10)
    while SystemClock.now() < limit {
      if let peer = news.withLock({ $0.peer }) { return peer }
      pause()
    }
    throw .failed("flood-client", "there is no connection")
  }

  // MARK: Threads and sockets

  /// Runs a task, and blocks this thread, which is none of the tasks', until it has ended.
  @discardableResult
  private static func wait<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) -> Result {
    let result = Locked<Result?>(nil)
    Task.detached {
      let value = await body()
      result.withLock { $0 = value }
    }
    while true {
      if let value = result.withLock({ $0 }) { return value }
      pause()
    }
  }

  private static func pause() {
    patter_sleep_until(UInt64((SystemClock.now() + .milliseconds(1)).nanoseconds))
  }

  private static func open(
    _ program: FloodProgram, connect: [SocketAddress]
  ) throws(BenchmarkError) -> UDPTransport {
    do {
      let identity = Identity(high: try SystemRandom.uint64(), low: try SystemRandom.uint64())
      var configuration = UDPConfiguration(
        local: Incarnation(identity: identity, epoch: WallClock.millisecondsSince1970),
        name: "bench", topics: [Topic(hash: 0)])
      configuration.datagram = program.settings.configuration
      configuration.discovery.isEnabled = false
      // A peer is reached at the port behind the shared one, where that is free; so the one that
      // calls must not take it.
      configuration.discovery.port =
        connect.isEmpty ? program.address.port &- 1 : program.address.port &+ 31
      configuration.connect = connect
      return try UDPTransport(configuration)
    } catch { throw .failed("patter", "\(error)") }
  }
}

/// One end of a flood with its clocks.
struct FloodEnd<Application: Sendable>: Sendable {
  var application: Application
  var meter: FloodMeter
  var clock = PhaseClock()

  mutating func look(_ count: UInt64) {
    meter.look(count, at: SystemClock.now())
    clock.look(meter.phase)
  }
}

extension FloodEnd<FloodReceiver> {
  init(application: FloodReceiver) {
    self.application = application
    meter = application.meter
  }
}

extension FloodEnd<FloodCounter> {
  init(application: FloodCounter) {
    self.application = application
    meter = FloodMeter(application.plan)
  }
}

/// Makes the messages of a flood for a sender that is no machine.
struct FloodCounter: Sendable {
  let plan: FloodPlan
  /// Messages that the transport took.
  var sent: UInt64 = 0
  private var made: UInt64 = 0
  private var payload: [UInt8]
  private let end: Instant

  init(_ plan: FloodPlan) {
    self.plan = plan
    payload = [UInt8](repeating: 0, count: plan.size)
    // The receiver's time starts later and must not run dry before its end.
    end = SystemClock.now() + plan.warmUp + plan.duration + .milliseconds(200)
  }

  func isOver(at now: Instant) -> Bool { now >= end }

  /// Adds as many messages as are handed over at once.
  mutating func fill(_ run: inout MessageRun) {
    for _ in 0..<plan.batch {
      for index in 0..<8 { payload[index] = UInt8(truncatingIfNeeded: made >> (8 * index)) }
      made += 1
      run.append(payload.span)
    }
  }
}
