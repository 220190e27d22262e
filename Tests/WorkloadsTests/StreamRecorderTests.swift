import Primitives
import Testing

@testable import Workloads

struct StreamRecorderTests {
  private let plan = StreamPlan(flows: 2, rate: 10, seconds: 0.4, warmUp: 0.1, size: 20)

  private func payload(_ flow: UInt32, _ sequence: UInt32, scheduled: Int64) -> [UInt8] {
    var bytes = [UInt8](repeating: 9, count: 20)
    let message = StreamMessage(
      flow: flow, sequence: sequence, scheduled: Instant(nanoseconds: scheduled))
    var span = bytes.mutableSpan
    message.write(over: &span)
    return bytes
  }

  private func take(
    _ recorder: inout StreamRecorder, _ flow: UInt32, _ sequence: UInt32, late: Int64
  ) {
    recorder.take(
      payload(flow, sequence, scheduled: 1_000).span, at: Instant(nanoseconds: 1_000 + late))
  }

  @Test func spreadsTheFlowsOverATick() {
    let start = Instant(nanoseconds: 5)
    #expect(plan.messagesPerFlow == 4 && plan.firstMeasured == 1 && plan.measured == 6)
    #expect(plan.due(flow: 0, sequence: 0, start: start) == start)
    #expect(plan.due(flow: 1, sequence: 0, start: start) == start + .milliseconds(50))
    #expect(plan.due(flow: 1, sequence: 3, start: start) == start + .milliseconds(350))
  }

  @Test func readsWhatOtherProgramsWrite() {
    let bytes: [UInt8] = [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 77]
    let message = StreamMessage(bytes.span)
    let wanted = StreamMessage(
      flow: 1, sequence: 512, scheduled: Instant(nanoseconds: 3 << 32))
    #expect(message == wanted)
    #expect(StreamMessage(Array(bytes[..<15]).span) == nil)
  }

  @Test func doesNotMeasureTheWarmUp() {
    var recorder = StreamRecorder(plan)
    take(&recorder, 0, 0, late: 9_000_000)
    take(&recorder, 0, 1, late: 2_000_000)
    #expect(recorder.received == 2)
    #expect(recorder.latencies.elements == [2_000_000])
  }

  @Test func countsEachMessageOnce() {
    var recorder = StreamRecorder(plan)
    take(&recorder, 0, 1, late: 1)
    take(&recorder, 0, 1, late: 5)
    #expect(recorder.received == 1 && recorder.duplicates == 1)
    #expect(recorder.latencies.elements == [1])
  }

  @Test func countsWhatIsOutOfOrder() {
    var recorder = StreamRecorder(plan)
    for sequence: UInt32 in [0, 2, 1, 3] { take(&recorder, 1, sequence, late: 1) }
    // 2 came early and 1 late; 3 follows the newest.
    #expect(recorder.outOfOrder == 2)
  }

  @Test func leavesOutWhatIsNotOfThePlan() {
    var recorder = StreamRecorder(plan)
    take(&recorder, 2, 0, late: 1)
    take(&recorder, 0, 4, late: 1)
    let short: [UInt8] = [1, 2, 3]
    recorder.take(short.span, at: .zero)
    #expect(recorder.received == 0 && recorder.strange == 3)
  }

  @Test func isCompleteWithEveryMessage() {
    var recorder = StreamRecorder(plan)
    for flow: UInt32 in 0..<2 {
      for sequence: UInt32 in 0..<4 {
        #expect(!recorder.isComplete)
        take(&recorder, flow, sequence, late: 1)
      }
    }
    #expect(recorder.isComplete)
  }

  @Test func reportsWithTheKeysOfTheOthers() {
    var recorder = StreamRecorder(plan)
    for sequence: UInt32 in 0..<4 {
      take(&recorder, 0, sequence, late: Int64(sequence) * 10_000_000)
    }
    let line = recorder.report(
      name: "patter", port: 9_000, processorTime: .milliseconds(1_234), peakMemory: 5_678)
    let wanted =
      #"{"proto":"patter","role":"server","port":9000,"flows":2,"expected":6,"got":3,"#
      + #""dup":0,"ooo":0,"#
      + #""mean":20.00,"p50":20.00,"p90":28.00,"p95":29.00,"p99":29.80,"p999":29.98,"#
      + #""max":30.00,"cpu_s":1.234,"rss_kb":5678}"#
    #expect(line == wanted)
    #expect(recorder.samplesLine == #"{"samples_us":[10000,20000,30000]}"#)
  }
}
