import Foundation
import Testing

@testable import Host

/// With numbers in place of 0, 1 and 2 that nothing else in this process gets.
@Suite(.serialized) struct StandardStreamsTests {
  private let input: Int32 = 700
  private let outputs: ClosedRange<Int32> = 701...702

  @Test(arguments: [[700], [701], [702], [700, 701, 702]] as [[Int32]])
  func whatIsMissingIsOccupiedAndCannotBeUsed(_ missing: [Int32]) throws {
    let null = open("/dev/null", O_RDWR)
    defer { for descriptor in [null, 700, 701, 702] { close(descriptor) } }
    for descriptor in Int32(700)...702 where !missing.contains(descriptor) {
      try #require(dup2(null, descriptor) == descriptor)
    }
    StandardStreams.occupyMissing(input: input, outputs: outputs)
    for descriptor in Int32(700)...702 {
      #expect(fcntl(descriptor, F_GETFD) != -1)
      var byte: UInt8 = 0
      let result =
        descriptor == input ? read(descriptor, &byte, 1) : write(descriptor, &byte, 1)
      if missing.contains(descriptor) {
        #expect(result == -1 && errno == EBADF)
      } else {
        #expect(result != -1)
      }
    }
  }
}
