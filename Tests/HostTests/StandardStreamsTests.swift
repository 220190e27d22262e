import Foundation
import Testing

@testable import Host

@Suite struct StandardStreamsTests {
  @Test(arguments: [[0], [1], [2], [0, 1, 2]] as [[Int32]])
  func whatIsMissingIsOccupiedAndCannotBeUsed(_ missing: [Int32]) async {
    await #expect(processExitsWith: .success) { [missing] in
      for descriptor in missing { close(descriptor) }
      StandardStreams.occupyMissing()
      var byte: UInt8 = 0
      for descriptor in missing {
        precondition(fcntl(descriptor, F_GETFD) != -1)
        let result = descriptor == 0 ? read(descriptor, &byte, 1) : write(descriptor, &byte, 1)
        precondition(result == -1 && errno == EBADF)
      }
      precondition(open("/dev/null", O_RDONLY) > 2)
    }
  }

  @Test func whatIsThereIsLeftAlone() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      precondition(pipe(&ends) == 0)
      precondition(dup2(ends[0], 0) == 0 && dup2(ends[1], 1) == 1)
      StandardStreams.occupyMissing()
      var byte: UInt8 = 7
      precondition(write(1, &byte, 1) == 1)
      byte = 0
      precondition(read(0, &byte, 1) == 1 && byte == 7)
    }
  }
}
