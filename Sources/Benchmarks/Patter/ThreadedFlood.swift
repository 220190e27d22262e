import ChatTransport
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
    let transport = try Threads.open(program.address, program.settings, calls: false)
    let (plan, readsBatches) = (program.plan, program.face == .thread)
    return Threads.wait {
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
    let transport = try Threads.open(program.address, program.settings, calls: true)
    let news = Locked(News())
    Task.detached { await read(transport, into: news) }
    let peer = try waitForPeer(news)
    let plan = program.plan
    let end: FloodEnd<FloodCounter>
    if program.face == .thread {
      end = send(plan, over: transport, to: peer)
    } else {
      end = Threads.wait { await sendAsynchronously(plan, over: transport, to: peer) }
    }
    Threads.wait { await transport.close() }
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
    var batch = EventBatch()
    while !end.application.isOver, await transport.events.read(into: &batch) {
      while true {
        _ = batch.readMessages { payload, _ in end.application.take(payload) }
        guard let event = batch.nextEvent() else { break }
        end.application.take(event)
      }
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
    var run = FloodRun(size: plan.size, count: plan.batch)
    do throws(SendError) {
      while !end.application.isOver(at: SystemClock.now()) {
        run.number(from: end.application.sent)
        var taken = (count: 0, byteCount: 0)
        while taken.count < run.count {
          let rest = run.bytes.span.extracting(taken.byteCount..<run.bytes.count)
          let more = try transport.send(
            run: rest, count: run.count - taken.count, to: peer, plan.options)
          if more.count == 0 { transport.blockUntilRoom(for: peer) }
          taken = (taken.count + more.count, taken.byteCount + more.byteCount)
        }
        end.application.sent += UInt64(taken.count)
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
      Threads.pause()
    }
    throw .failed("flood-client", "there is no connection")
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
