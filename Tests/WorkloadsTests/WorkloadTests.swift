import ChatTransport
import Primitives
import Testing

@testable import Workloads

struct WorkloadTests {
  private func stream(
    _ plan: StreamPlan, delivery: Delivery = .ordered
  ) -> Bench<StreamSender, StreamReceiver> {
    let start = StreamStart(flows: 1)
    return Bench(
      StreamSender(plan, flow: 0, options: SendOptions(delivery: delivery), start: start),
      StreamReceiver(plan, end: .zero + .seconds(60)))
  }

  @Test func aStreamKeepsItsSchedule() {
    let plan = StreamPlan(flows: 1, rate: 100, seconds: 1, warmUp: 0.2)
    var bench = stream(plan)
    bench.run { $0.isOver && $1.isOver }
    let recorder = bench.second.recorder
    #expect(recorder.isComplete && recorder.latencies.count == 80)
    #expect(recorder.duplicates == 0 && recorder.outOfOrder == 0)
    // Nothing is lost on the way, and the bench looks every millisecond.
    #expect(recorder.latencies.elements.allSatisfy { $0 <= 1_000_000 })
    // The pause before the first message, and 99 intervals behind it.
    #expect(bench.now >= .zero + .milliseconds(1_040))
  }

  @Test func aStreamCountsFromTheScheduleWhenItIsHeldUp() {
    let plan = StreamPlan(flows: 1, rate: 100, seconds: 1, warmUp: 0)
    var bench = stream(plan)
    bench.run { sender, _ in sender.sent == 10 }
    bench.control { $0.hold(from: $1, to: $2) }
    bench.run { sender, _ in sender.sent == 40 }
    bench.control { $0.release(from: $1, to: $2) }
    bench.run { $1.isOver }
    var latencies = bench.second.recorder.latencies
    latencies.sort()
    let longest = latencies.elements.last ?? 0
    #expect(longest >= 290_000_000 && longest <= 310_000_000)
  }

  @Test func aStreamWaitsForAllFlows() {
    let plan = StreamPlan(flows: 2, rate: 100, seconds: 0.1, warmUp: 0)
    let start = StreamStart(flows: 2)
    var bench = Bench(
      StreamSender(plan, flow: 0, options: SendOptions(), start: start),
      StreamReceiver(plan, end: .zero + .seconds(1)))
    bench.run(limit: 100) { _, _ in false }
    #expect(bench.first.sent == 0)
    start.join(at: bench.now)
    bench.run { sender, _ in sender.isOver }
    #expect(bench.first.sent == 10)
  }

  @Test func aStreamEndsWithoutWhatWasLost() {
    let plan = StreamPlan(flows: 1, rate: 100, seconds: 0.5, warmUp: 0)
    var bench = stream(plan, delivery: .unreliable)
    bench.run { sender, _ in sender.sent == 10 }
    bench.control { $0.dropNext(5, from: $1, to: $2) }
    bench.run { $1.isOver }
    #expect(bench.second.recorder.received == 45)
    #expect(bench.second.recorder.outOfOrder == 1)
  }

  @Test(arguments: [1, 16])
  func aFloodArrivesInSequence(batch: Int) {
    let plan = FloodPlan(
      warmUp: .milliseconds(20), duration: .milliseconds(100), batch: batch)
    var bench = Bench(
      FloodSender(plan), FloodReceiver(plan),
      limits: InMemoryQueueLimits(messages: 32, bytes: 1 << 20))
    bench.run { $0.isOver && $1.isOver }
    let receiver = bench.second
    #expect(receiver.outOfSequence == 0 && receiver.strange == 0)
    #expect(receiver.received == bench.first.sent)
    #expect(bench.first.meter.phase == .over && receiver.meter.phase == .over)
    #expect(receiver.meter.elapsed >= .milliseconds(100))
    #expect(receiver.meter.messages < receiver.received)
    #expect(receiver.meter.messages > 0 && bench.first.failure == nil)
  }

  @Test func aFloodSeesWhatIsMissing() {
    let plan = FloodPlan(
      warmUp: .zero, duration: .milliseconds(20), batch: 1,
      options: SendOptions(delivery: .unreliable))
    var bench = Bench(
      FloodSender(plan), FloodReceiver(plan),
      limits: InMemoryQueueLimits(messages: 32, bytes: 1 << 20))
    bench.run { $1.received > 100 }
    bench.control { $0.dropNext(3, from: $1, to: $2) }
    bench.run { $0.isOver && $1.isOver }
    #expect(bench.second.outOfSequence == 1)
    #expect(bench.second.received == bench.first.sent - 3)
  }

  @Test func anEchoComesBackAsOftenAsItWasAsked() {
    var bench = Bench(EchoClient(count: 50), EchoServer())
    bench.run { client, _ in client.isOver }
    #expect(bench.first.roundTrips.count == 50)
    #expect(bench.first.roundTrips.elements.allSatisfy { $0 > 0 })
    #expect(bench.second.refused == 0 && bench.first.failure == nil)
  }
}
