import Foundation
import Host
import Testing

@Suite(.serialized) struct FileOutputTests {
  init() {
    Signals.ignoreBrokenPipe()
  }

  private func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  private func makeNonBlocking(_ descriptor: Int32) throws {
    try #require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
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
    let (reading, writing) = try makePipe()
    defer { close(reading) }
    let output = FileOutput(fileDescriptor: writing)
    output.append(line: "one")
    output.append("two")
    try makeNonBlocking(reading)
    let input = FileInput(fileDescriptor: reading)
    #expect(input.read { _ in } == .nothing)
    #expect(output.flush() == .written)
    close(writing)
    #expect(readAll(reading) == Array("one\ntwo".utf8))
    #expect(input.read { _ in } == .end)
  }

  @Test(arguments: [true, false])
  func aSlowReaderGetsEverything(nonBlocking: Bool) throws {
    let (reading, writing) = try makePipe()
    defer { close(reading) }
    if nonBlocking { try makeNonBlocking(writing) }
    let line = String(repeating: "0123456789abcde", count: 100)
    let thread = Thread {
      let output = FileOutput(fileDescriptor: writing)
      for _ in 0..<500 { output.append(line: line) }
      let result = output.flush()
      #expect(result == .written)
      close(writing)
    }
    thread.start()
    let bytes = readAll(reading)
    #expect(bytes.count == 500 * 1_501)
    let isSame = bytes == Array(String(repeating: line + "\n", count: 500).utf8)
    #expect(isSame)
  }

  @Test func aClosedPipeIsAResult() throws {
    let (reading, writing) = try makePipe()
    defer { close(writing) }
    close(reading)
    let output = FileOutput(fileDescriptor: writing)
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

  @Test func aReaderThatDoesNotReadIsNotWaitedFor() throws {
    let (reading, writing) = try makePipe()
    defer {
      close(reading)
      close(writing)
    }
    let output = FileOutput(fileDescriptor: writing)
    output.waitsForReader = false
    let text = String(repeating: "0123456789abcdef", count: 20_000)
    output.append(text)
    #expect(output.flush() == .written)
    #expect(output.isWaiting)
    try makeNonBlocking(reading)
    let input = FileInput(fileDescriptor: reading)
    var bytes: [UInt8] = []
    while output.isWaiting || bytes.count < text.utf8.count {
      let result = input.read { span in
        for index in span.indices { bytes.append(span[index]) }
      }
      try #require(result == .read)
      #expect(output.flush() == .written)
    }
    #expect(bytes == Array(text.utf8))
  }

  @Test func aReaderThatGoesAwayEndsTheWaiting() throws {
    let (reading, writing) = try makePipe()
    defer { close(writing) }
    let output = FileOutput(fileDescriptor: writing)
    output.waitsForReader = false
    output.append(String(repeating: "x", count: 200_000))
    #expect(output.flush() == .written)
    #expect(output.isWaiting)
    close(reading)
    #expect(output.flush() == .closed)
    #expect(!output.isWaiting)
  }
}
