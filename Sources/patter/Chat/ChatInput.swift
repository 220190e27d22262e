import Host
import Primitives
import SocketDriver

/// Standard input as lines, read no faster than they are taken.
final class ChatInput {
  /// Whether there is nothing more to read; lines may still be waiting.
  private(set) var hasEnded = false
  /// Why it could not be read to its end; `nil` as long as it could.
  private(set) var failure: SystemError?

  private let loop: EventLoop
  private let input = FileInput.standardInput()
  private var lines = LineReader()

  /// Begins to read on `loop`, whose thread this belongs to.
  init(on loop: EventLoop) throws(SystemError) {
    self.loop = loop
    try loop.register(input.fileDescriptor, for: .readable) { [unowned self] _ in read() }
  }

  /// The next line, or `nil` where none is complete.
  func next() -> LineReader.Line? { lines.next() }

  /// Whether more is to be read. What was read already is not touched by it.
  func setWanted(_ isWanted: Bool) {
    guard !hasEnded else { return }
    // A descriptor that was registered can be told not to be watched; there is no other outcome.
    try? loop.setInterest(isWanted ? .readable : [], of: input.fileDescriptor)
  }

  private func read() {
    switch input.read({ lines.append($0) }) {
    case .read, .nothing: break
    case .end: end()
    case .failed(let error):
      failure = error
      end()
    }
  }

  private func end() {
    hasEnded = true
    lines.finish()
    loop.unregister(input.fileDescriptor)
  }
}
