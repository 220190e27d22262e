import CBenchmarks
import Host
import Primitives

/// Two programs that are run side by side, and from whose lines a figure is made.
public struct PairCase: Hashable, Sendable {
  /// What carries the messages.
  public enum Carrier: String, Hashable, Sendable {
    case udp
    case tcp
    case patter
  }

  /// Which face of the interface it was measured on; plain sockets have none.
  public enum Face: String, Hashable, Sendable, CaseIterable {
    /// Sockets without a protocol of ours.
    case sockets
    /// On the loop's thread.
    case loop
    /// From a thread of the application, by calls that the loop's thread carries out.
    case thread
    /// `async` calls and an asynchronous sequence of events.
    case asynchronous = "async"

    static let ofPatter: [Face] = [.loop, .thread, .asynchronous]
  }

  public var name: String
  public var title: String
  public var carrier: Carrier
  public var face: Face
  /// Bytes of payload of a message.
  public var size: Int
  /// The arguments of this program that run its ends.
  public var server: [String]
  public var client: [String]

  public init(
    name: String, title: String, carrier: Carrier, face: Face, size: Int, server: [String],
    client: [String]
  ) {
    self.name = name
    self.title = title
    self.carrier = carrier
    self.face = face
    self.size = size
    self.server = server
    self.client = client
  }

  /// This program, as a child starts it.
  public static let program = "/proc/self/exe"

  /// Runs both ends to their ends, and returns the last line of each.
  func run(limit: Interval) throws(BenchmarkError) -> (server: FlatJSON, client: FlatJSON) {
    let meeting = patter_meeting_open()
    guard meeting >= 0 else { throw .failed(name, "no shared memory: errno \(-meeting)") }
    defer { patter_meeting_close(meeting) }
    let outcomes: [ChildOutcome]
    do throws(SystemError) {
      outcomes = try ChildProcess.run(
        [server, client].map {
          ChildCommand([Self.program, "bench"] + $0, shared: meeting)
        }, limit: limit)
    } catch { throw .failed(name, "\(error)") }
    return (try line(of: outcomes[0], "server"), try line(of: outcomes[1], "client"))
  }

  private func line(of outcome: ChildOutcome, _ role: String) throws(BenchmarkError) -> FlatJSON {
    guard !outcome.ranOutOfTime else { throw .failed(name, "the \(role) does not end") }
    guard outcome.exitCode == 0 else {
      throw .failed(name, "the \(role) ended with \(outcome.exitCode)")
    }
    guard let line = outcome.output.split(separator: "\n").last.flatMap({ FlatJSON($0) }) else {
      throw .failed(name, "the \(role) told nothing")
    }
    return line
  }
}

/// Why a benchmark could not be run.
public enum BenchmarkError: Error, Hashable, Sendable {
  /// The system cannot carry it out, in words.
  case unusable(String)
  /// A case failed, in words.
  case failed(String, String)
}

extension BenchmarkError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unusable(let words): words
    case .failed(let name, let words): "\(name): \(words)"
    }
  }
}
