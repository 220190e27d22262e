import Glibc
import Primitives
import Testing

@testable import SocketDriver

@Suite struct SendQueueTests {
  private func path(_ port: UInt16) -> Path {
    Path(remote: SocketAddress(ip: Loopback.ipv4, port: port))
  }

  private func queue(_ datagrams: Int, bytes: Int = 1 << 20) -> SendQueue {
    SendQueue(maximumDatagrams: datagrams, maximumBytes: bytes, canSegment: true)
  }

  private func append(_ bytes: [UInt8], _ path: Path, _ queue: inout SendQueue) {
    let isAccepted = queue.append(bytes.span, to: path, segmentSize: nil)
    #expect(isAccepted)
  }

  private func refuse(_ bytes: [UInt8], _ path: Path, _ queue: inout SendQueue) {
    let isAccepted = queue.append(bytes.span, to: path, segmentSize: nil)
    #expect(!isAccepted)
  }

  @Test func whatTheKernelDoesNotTakeWaitsInOrder() {
    var (queue, result, statistics) = (queue(200), FlushResult(), UDPSocketStatistics())
    for port in 1...150 {
      append([UInt8(port)], path(UInt16(port)), &queue)
    }
    var offers: [Int] = []
    queue.flush(into: &result, statistics: &statistics) { _, count in
      offers.append(count)
      return offers.count == 1 ? count : 10
    }
    #expect(offers == [64, 64])
    #expect(result.needsWritable && result.sent == 74)
    #expect(queue.count == 76 && queue.byteCount == 76)

    queue.flush(into: &result, statistics: &statistics) { _, count in count }
    #expect(!result.needsWritable && result.sent == 150)
    #expect(queue.count == 0 && queue.byteCount == 0)
    #expect(statistics.datagramsSent == 150)
  }

  @Test func bytesStayWithTheirDatagramWhenRoomIsGivenBack() throws {
    var (queue, result, statistics) = (queue(200), FlushResult(), UDPSocketStatistics())
    let (sender, receiver) = (try Loopback.socket(), try Loopback.socket())
    for value in UInt8(0)..<40 {
      append(
        [UInt8](repeating: value, count: Int(value)), Path(remote: receiver.localAddress), &queue)
    }
    queue.flush(into: &result, statistics: &statistics) { batch, _ in
      batch.send(30, by: sender.fileDescriptor)
    }
    append([99], Path(remote: receiver.localAddress), &queue)
    queue.flush(into: &result, statistics: &statistics) { batch, count in
      batch.send(count, by: sender.fileDescriptor)
    }
    let expected = (UInt8(0)..<40).map { [UInt8](repeating: $0, count: Int($0)) } + [[99]]
    #expect(try receiver.receive(count: 41).map(\.bytes) == expected)
  }

  @Test func aFullQueueRefuses() {
    var few = queue(2)
    append([1], path(1), &few)
    append([UInt8](), path(1), &few)
    refuse([1], path(1), &few)
    var small = queue(9, bytes: 3)
    append([1, 2], path(1), &small)
    refuse([1, 2], path(1), &small)
    append([3], path(1), &small)
  }

  @Test func anErrorIsThatOfOneDatagram() {
    var (queue, result, statistics) = (queue(9), FlushResult(), UDPSocketStatistics())
    for port in UInt16(1)...3 {
      append([1], path(port), &queue)
    }
    queue.flush(into: &result, statistics: &statistics) { batch, count in
      batch[error: 1] = ENETUNREACH
      return count
    }
    #expect(result.sent == 2 && result.failed == 1)
    #expect(result.failures.map(\.path) == [path(2)])
    #expect(result.failures.map(\.size) == [1])
    #expect(result.failures.map(\.error.code) == [ENETUNREACH])
    #expect(statistics.sendErrors == [ENETUNREACH: 1])
  }

  @Test func aResultTellsOfABoundedNumberOfFailures() {
    var (queue, result, statistics) = (queue(200), FlushResult(), UDPSocketStatistics())
    for port in UInt16(1)...200 {
      append([1], path(port), &queue)
    }
    queue.flush(into: &result, statistics: &statistics) { batch, count in
      for index in 0..<count { batch[error: index] = EHOSTUNREACH }
      return count
    }
    #expect(result.failed == 200 && result.failures.count == FlushResult.failureLimit)
  }

  @Test func aFullKernelLosesNothing() {
    var (queue, result, statistics) = (queue(9), FlushResult(), UDPSocketStatistics())
    append([1], path(1), &queue)
    queue.flush(into: &result, statistics: &statistics) { _, _ in 0 }
    #expect(result.needsWritable && queue.count == 1)
    queue.flush(into: &result, statistics: &statistics) { _, count in count }
    #expect(!result.needsWritable && result.sent == 1)
  }

  // MARK: Runs

  private func appendRun(_ count: Int, of size: Int, _ queue: inout SendQueue) {
    let bytes = [UInt8](repeating: 7, count: count)
    let isAccepted = queue.append(bytes.span, to: path(1), segmentSize: size)
    #expect(isAccepted)
  }

  @Test func aRunIsOnePlace() {
    var (queue, result, statistics) = (queue(9), FlushResult(), UDPSocketStatistics())
    appendRun(2_500, of: 1_000, &queue)
    var offers: [Int] = []
    queue.flush(into: &result, statistics: &statistics) { _, count in
      offers.append(count)
      return count
    }
    #expect(offers == [1])
    #expect(result.sent == 3 && statistics.bytesSent == 2_500)
  }

  @Test func aRunOfMoreThanTheKernelCutsIsGivenInParts() {
    var (queue, result, statistics) = (queue(9), FlushResult(), UDPSocketStatistics())
    appendRun(10 * 130, of: 10, &queue)
    var offers: [Int] = []
    queue.flush(into: &result, statistics: &statistics) { _, count in
      offers.append(count)
      return count
    }
    #expect(offers == [3])
    #expect(result.sent == 130)
  }

  @Test func aRefusedRunGoesDatagramByDatagramAndSoDoAllAfterIt() {
    var (queue, result, statistics) = (queue(9), FlushResult(), UDPSocketStatistics())
    append([1], path(1), &queue)
    appendRun(2_500, of: 1_000, &queue)
    var offers: [Int] = []
    queue.flush(into: &result, statistics: &statistics) { batch, count in
      offers.append(count)
      guard offers.count == 1 else { return count }
      batch[error: 1] = EIO
      return 1
    }
    #expect(offers == [2, 3])
    #expect(result.sent == 4 && result.failed == 0 && !result.needsWritable)
    #expect(!queue.canSegment && queue.refusals == 1)
    appendRun(2_500, of: 1_000, &queue)
    queue.flush(into: &result, statistics: &statistics) { _, count in
      offers.append(count)
      return count
    }
    #expect(offers == [2, 3, 3])
  }

  @Test func datagramsThatAreTooLargeDoNotSpeakAgainstRuns() {
    var (queue, result, statistics) = (queue(9), FlushResult(), UDPSocketStatistics())
    appendRun(2_500, of: 1_000, &queue)
    var offers: [Int] = []
    queue.flush(into: &result, statistics: &statistics) { batch, count in
      offers.append(count)
      for index in 0..<(offers.count == 1 ? 1 : 2) { batch[error: index] = EMSGSIZE }
      return offers.count == 1 ? 0 : count
    }
    #expect(offers == [1, 3])
    #expect(result.sent == 1 && result.failed == 2)
    #expect(result.failures.map(\.size) == [1_000, 1_000])
    #expect(queue.canSegment)
  }

  @Test func aRefusedRunThatFindsTheKernelFullGoesOnWhereItStood() {
    var (queue, result, statistics) = (queue(9), FlushResult(), UDPSocketStatistics())
    appendRun(2_500, of: 1_000, &queue)
    var calls = 0
    queue.flush(into: &result, statistics: &statistics) { batch, _ in
      calls += 1
      batch[error: 0] = calls == 1 ? EINVAL : 0
      return calls == 1 ? 0 : 2
    }
    #expect(result.needsWritable && result.sent == 2)
    #expect(queue.count == 1 && queue.byteCount == 500)
    queue.flush(into: &result, statistics: &statistics) { _, count in count }
    #expect(result.sent == 3 && statistics.bytesSent == 2_500)
  }

  // MARK: Writing in place

  private func write(_ count: Int, _ path: Path, _ queue: inout SendQueue) -> Bool? {
    queue.write(limit: 1_000, family: .ipv4) { output in
      for index in 0..<count { output.append(UInt8(truncatingIfNeeded: index)) }
      return count > 0 ? Transmit(path: path) : nil
    } elsewhere: { _, _ in
      Issue.record("it is of the queue's family")
    }
  }

  @Test func whatIsWrittenWaitsWithinTheBounds() {
    var queue = queue(200, bytes: 2_500)
    #expect(write(1_000, path(1), &queue) == true)
    #expect(write(1_000, path(1), &queue) == true)
    #expect(queue.count == 2 && queue.byteCount == 2_000)
    #expect(write(1, path(1), &queue) == nil)
  }

  @Test func nothingWrittenIsNoDatagram() {
    var queue = queue(9)
    #expect(write(0, path(1), &queue) == false)
    #expect(queue.count == 0)
  }

  @Test func whatIsForAnotherFamilyIsHandedOn() {
    var queue = queue(9)
    let other = Path(remote: SocketAddress(ip: Loopback.ipv6, port: 1))
    var seen: [Int] = []
    let isWritten = queue.write(limit: 100, family: .ipv4) { output in
      for _ in 0..<3 { output.append(5) }
      return Transmit(path: other)
    } elsewhere: { bytes, transmit in
      #expect(transmit.path == other)
      seen.append(bytes.count)
    }
    #expect(isWritten == true && seen == [3] && queue.count == 0)
  }
}
