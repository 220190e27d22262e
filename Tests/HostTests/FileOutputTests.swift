import Foundation
import Host
import Testing

/// The two ends of a pipe.
private final class Pipe {
  let reading: Int32
  private(set) var writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    hangUp()
  }

  func hangUp() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  func makeNonBlocking() throws {
    try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
    try #require(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
  }
}

@Suite(.serialized) struct FileOutputTests {
  init() {
    Signals.ignoreBrokenPipe()
  }

  /// All bytes that come out of a descriptor until its end.
  private func readAll(_ descriptor: Int32) -> [UInt8] {
    let input = FileInput(fileDescriptor: descriptor)
    var result: [UInt8] = []
    while input.read({ span in
      for index in span.indices { result.append(span[index]) }
    }) == .read {}
    return result
  }

  @Test func linesAppearWhenTheyAreFlushed() throws {
    let pipe = try Pipe()
    let output = FileOutput(fileDescriptor: pipe.writing)
    output.append(line: "one")
    output.append("two")
    try pipe.makeNonBlocking()
    let input = FileInput(fileDescriptor: pipe.reading)
    #expect(input.read { _ in } == .nothing)
    #expect(output.flush() == .written)
    pipe.hangUp()
    #expect(readAll(pipe.reading) == Array("one\ntwo".utf8))
    #expect(input.read { _ in } == .end)
  }

  @Test(arguments: [true, false])
  func aSlowReaderGetsEverything(nonBlocking: Bool) throws {
    let pipe = try Pipe()
    if nonBlocking { try #require(fcntl(pipe.writing, F_SETFL, O_NONBLOCK) == 0) }
    let line = String(repeating: "0123456789abcde", count: 100)
    let writing = pipe.writing
    let thread = Thread {
      let output = FileOutput(fileDescriptor: writing)
      for _ in 0..<500 { output.append(line: line) }
      #expect(output.flush() == .written)
      close(writing)
    }
    thread.start()
    let bytes = readAll(pipe.reading)
    #expect(bytes.count == 500 * 1_501)
    #expect(bytes == Array(String(repeating: line + "\n", count: 500).utf8))
  }

  @Test func aClosedPipeIsAResult() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[1]) }
    close(ends[0])
    let output = FileOutput(fileDescriptor: ends[1])
    output.append(line: "nobody hears this")
    #expect(output.flush() == .closed)
    output.append(line: "nor this")
    #expect(output.flush() == .closed)
  }

  @Test func anErrorIsToldOnceAndDropsWhatItConcerns() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    let output = FileOutput(fileDescriptor: full)
    output.append(line: "no room")
    guard case .failed(let error) = output.flush() else {
      Issue.record("a full device took a line")
      return
    }
    #expect(error.code == ENOSPC && error.call == "write")
    #expect(output.flush() == .written)
  }

  @Test func anErrorOfAFullBufferIsToldByTheNextFlush() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    let output = FileOutput(fileDescriptor: full)
    output.append(String(repeating: "x", count: FileOutput.bufferSize))
    #expect(output.flush() != .written)
  }

  @Test func whatCannotBeReadIsAnError() {
    guard case .failed(let error) = FileInput(fileDescriptor: 1_000_000).read({ _ in }) else {
      Issue.record("something was read")
      return
    }
    #expect(error.code == EBADF)
  }
}
