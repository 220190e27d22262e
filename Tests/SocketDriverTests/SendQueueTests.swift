import Glibc
import Primitives
import Testing

@testable import SocketDriver

@Suite struct SendQueueTests {
  private func path(_ port: UInt16) -> Path {
    Path(remote: SocketAddress(ip: Loopback.ipv4, port: port))
  }

  private func queue(_ datagrams: Int, bytes: Int = 1 << 20) -> SendQueue {
    SendQueue(maximumDatagrams: datagrams, maximumBytes: bytes)
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
}
