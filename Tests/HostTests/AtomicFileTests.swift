import Foundation
import Host
import Primitives
import Testing

@Suite struct AtomicFileTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  @Test func aFileIsReplacedWhole() throws {
    let path = scratch.path + "/file"
    try AtomicFile.write(Array("a longer first content".utf8), to: path)
    try AtomicFile.write(Array("second".utf8), to: path)
    #expect(try AtomicFile.read(path, limit: 100) == Array("second".utf8))
    #expect(try scratch.names(in: scratch.path) == ["file"])
    #expect(try scratch.permissions(of: path) == 0o600)
  }

  @Test func whatAKilledProcessLeftIsNoObstacle() throws {
    let path = scratch.path + "/file"
    try "half".write(toFile: "\(path).\(getpid()).new", atomically: true, encoding: .utf8)
    try AtomicFile.write([1], to: path)
    #expect(try scratch.names(in: scratch.path) == ["file"])
  }

  @Test func aFailureLeavesNothingBehind() throws {
    let path = scratch.path + "/taken"
    try Directories.make(path + "/full")
    #expect(throws: SystemError.self) { try AtomicFile.write([1], to: path) }
    #expect(try scratch.names(in: scratch.path) == ["taken"])
  }

  @Test func aMissingFileIsNoError() throws {
    #expect(try AtomicFile.read(scratch.path + "/none", limit: 10) == nil)
  }

  @Test func readingStopsAtItsLimit() throws {
    let path = scratch.path + "/file"
    try AtomicFile.write([1, 2, 3, 4], to: path)
    #expect(try AtomicFile.read(path, limit: 3) == [1, 2, 3])
  }
}
