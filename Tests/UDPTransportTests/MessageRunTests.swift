import Primitives
import Testing

@testable import UDPTransport

struct MessageRunTests {
  @Test(arguments: [0, 1, 63, 64, 16_383, 16_384, 100_000])
  func aMessageIsItsLengthAndItsPayload(size: Int) {
    var run = MessageRun(capacity: 1)
    run.append([UInt8](repeating: 7, count: size))
    run.append([9])
    let isRight = run.withBytes { bytes in
      var offset = 0
      let isLength = bytes.variableLength(at: &offset) == UInt64(size)
      let isShortest = offset == variableLengthWidth(UInt64(size))
      let payload = bytes.copy(offset..<(offset + size))
      let rest = bytes.copy((offset + size)..<bytes.count)
      return isLength && isShortest && payload.allSatisfy { $0 == 7 } && rest == [1, 9]
    }
    #expect(isRight)
    #expect(run.count == 2)
  }

  @Test func messagesAreTakenFromTheFront() {
    var run = MessageRun()
    for number in UInt8(0)..<100 { run.append([UInt8](repeating: number, count: 100)) }
    run.removeFirst(40, byteCount: 40 * 102)
    run.append([1, 2])
    #expect(run.count == 61 && run.byteCount == 60 * 102 + 3)
    let first = run.withBytes { $0[2] }
    #expect(first == 40)
    run.removeAll()
    #expect(run.count == 0 && run.byteCount == 0)
  }
}
