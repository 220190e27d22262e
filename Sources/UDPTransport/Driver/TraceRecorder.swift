public import DatagramPeer
public import Primitives
import Qlog

/// Takes the trace of the machines on one loop, and hands it on as qlog in pieces.
///
/// It belongs to the loop's thread. Several machines may share one: their connections are told
/// apart in it.
public final class TraceRecorder {
  private var writer: QlogWriter
  /// Whether what is handed on was taken; after that nothing is written any more.
  private var isOpen = true
  private var latest: Instant
  private let write: ([UInt8]) -> Bool

  /// So many bytes are handed on at once.
  private static let pieceSize = 65_536
  /// What was written longer ago is handed on at the next opportunity: a trace can be followed, and
  /// one of a program that was killed lacks its last moments only.
  private static let holdTime = Interval.milliseconds(100)

  /// - Parameters:
  ///   - title: what is traced, for people.
  ///   - referenceTime: the time of day at `start`, in milliseconds since 1970 began (UTC).
  ///   - start: the instant from which the times of events are counted.
  ///   - write: takes bytes, and says whether there is any use in more. Called on the loop's
  ///     thread, so it must not wait.
  public init(
    title: String, referenceTime: UInt64, start: Instant, write: @escaping ([UInt8]) -> Bool
  ) {
    writer = QlogWriter(title: title, referenceTime: referenceTime, start: start)
    latest = start
    self.write = write
  }

  /// Takes what a machine has to tell.
  public func drain<Machine: TracedMachine & ~Copyable>(
    _ machine: inout Machine, at now: Instant
  ) {
    while let event = machine.nextTraceEvent() {
      guard isOpen else { continue }
      writer.write(event)
      if writer.bytes.count >= Self.pieceSize { handOn() }
    }
    if now - latest >= Self.holdTime {
      latest = now
      handOn()
    }
  }

  /// Writes the last record and hands everything on.
  public func end(at now: Instant) {
    guard isOpen else { return }
    writer.end(at: now)
    handOn()
    isOpen = false
  }

  private func handOn() {
    guard isOpen, !writer.bytes.isEmpty else { return }
    isOpen = write(writer.bytes)
    writer.bytes.removeAll(keepingCapacity: true)
  }
}

extension MachineDriver where Machine: TracedMachine & ~Copyable, Application: ~Copyable {
  /// Has `recorder` take what the machine tells of itself, at the end of each wake. The machine has
  /// to have been told to trace.
  public func record(into recorder: TraceRecorder) {
    afterWake = { machine, now in recorder.drain(&machine, at: now) }
  }
}

extension UDPDriver where Application: ~Copyable {
  /// Has `recorder` take what the peer tells of itself, at the end of each wake; see
  /// `DatagramConfiguration.isTracing`.
  public func record(into recorder: TraceRecorder) { core.record(into: recorder) }
}
