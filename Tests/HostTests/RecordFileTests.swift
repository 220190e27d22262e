import Foundation
import Host
import Primitives
import Testing

@Suite struct RecordFileTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  @Test func whatIsWrittenIsThereAtOnceAndTheOwnersAlone() throws {
    let path = scratch.path + "/records"
    let file = try RecordFile(path: path)
    try file.write(Array("one ".utf8))
    try file.write(Array("two".utf8))
    #expect(try scratch.content(of: path) == "one two")
    #expect(try scratch.permissions(of: path) == 0o600)
  }

  @Test func anOldFileIsEmptied() throws {
    let path = scratch.path + "/records"
    try AtomicFile.write(Array("a longer first content".utf8), to: path)
    try RecordFile(path: path).write(Array("new".utf8))
    #expect(try scratch.content(of: path) == "new")
  }

  @Test func whatHasToBeWaitedForIsRefused() throws {
    let path = scratch.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: SystemError.self) { try RecordFile(path: path) }
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    #expect(throws: SystemError.self) { try RecordFile(path: path) }
  }

  @Test func aFullDiskIsToldByTheSystemsWords() throws {
    let file = try RecordFile(path: "/dev/full")
    let error = #expect(throws: SystemError.self) { try file.write([1]) }
    #expect(error?.code == ENOSPC)
  }
}
