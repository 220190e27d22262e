import Primitives

/// The lines of one author, put in order: which have arrived, which are missing, and which wait.
///
/// Every number is told exactly once: as a line or within a gap. A reliable line is shown when none
/// before it is missing. An unreliable one is shown on arrival; what is missing before it is told
/// as a gap when it has not come by a deadline, and is dropped if it comes after that.
struct AuthorStream: Sendable {
  enum Output: Hashable, Sendable {
    case line(Line)
    case gap(Range<UInt64>)
  }

  /// The greatest number that anything was heard of.
  private(set) var highest: UInt64
  /// What is missing up to `highest`, in order.
  private var holes: [Hole] = []
  /// Reliable lines behind something that is missing, in order.
  private var held: [Line] = []
  /// What the lines that wait cost.
  private(set) var heldCost = 0

  private struct Hole {
    var lines: Range<UInt64>
    /// When they are told as a gap; `nil` while the transport is still at work on them.
    var due: Instant?
  }

  /// A stream in which the lines up to `last` are somebody else's business.
  init(after last: UInt64) {
    highest = last
  }

  /// Whether nothing is missing, and so nothing waits.
  var isComplete: Bool { holes.isEmpty }

  /// When `advance` has to be called.
  var deadline: Instant? { holes.reduce(nil) { Instant.earlier($0, $1.due) } }

  /// Takes in a line, and returns whether it was missing.
  ///
  /// Beyond the limits, what waits is shown, and what is missing before it told as a gap.
  mutating func receive(
    _ line: Line, gapDue: Instant, limits: AuthorStreamLimits, into output: inout [Output]
  ) -> Bool {
    if line.sequence > highest {
      if line.sequence > highest + 1 {
        expect(upTo: line.sequence - 1, due: line.isUnreliable ? gapDue : nil)
      }
      highest = line.sequence
    } else {
      guard fill(line.sequence) else { return false }
    }
    if line.isUnreliable {
      output.append(.line(line))
    } else {
      held.insert(line, at: held.position(of: line.sequence))
      heldCost += line.cost
    }
    showWhatWaits(into: &output)
    while !holes.isEmpty,
      held.count > limits.lines || heldCost > limits.cost || holes.count > limits.holes
    {
      giveUpHole(at: 0, into: &output)
    }
    return true
  }

  /// Learns that the author has said lines up to `last`; those not heard of are missing.
  mutating func expect(upTo last: UInt64, due: Instant?) {
    guard last > highest else { return }
    holes.append(Hole(lines: highest + 1..<last + 1, due: due))
    highest = last
  }

  /// What is missing up to `last` is told as a gap at `due` at the latest.
  mutating func setDue(_ due: Instant, upTo last: UInt64) {
    split(at: last + 1)
    for index in holes.indices where holes[index].lines.lowerBound <= last {
      holes[index].due = Instant.earlier(holes[index].due, due)
    }
  }

  /// Tells those of `lines` that are missing as a gap at once.
  mutating func giveUp(_ lines: ClosedRange<UInt64>, into output: inout [Output]) {
    expect(upTo: lines.upperBound, due: nil)
    split(at: lines.lowerBound)
    split(at: lines.upperBound + 1)
    let index = holes.partitioningIndex { $0.lines.lowerBound >= lines.lowerBound }
    while index < holes.count, holes[index].lines.lowerBound <= lines.upperBound {
      giveUpHole(at: index, into: &output)
    }
  }

  /// Tells everything that is missing as gaps, and shows everything that waits.
  mutating func giveUpAll(into output: inout [Output]) {
    while !holes.isEmpty { giveUpHole(at: 0, into: &output) }
  }

  /// Tells what was due at `now`.
  mutating func advance(to now: Instant, into output: inout [Output]) {
    var index = 0
    while index < holes.count {
      if let due = holes[index].due, due <= now {
        giveUpHole(at: index, into: &output)
      } else {
        index += 1
      }
    }
  }

  /// Takes a number out of what is missing, and returns whether it was.
  private mutating func fill(_ sequence: UInt64) -> Bool {
    let index = holes.partitioningIndex { $0.lines.upperBound > sequence }
    guard index < holes.count, holes[index].lines.contains(sequence) else { return false }
    let hole = holes[index]
    let rest = [hole.lines.lowerBound..<sequence, sequence + 1..<hole.lines.upperBound]
    holes.replaceSubrange(
      index...index, with: rest.filter { !$0.isEmpty }.map { Hole(lines: $0, due: hole.due) })
    return true
  }

  /// Makes two holes of one that lies on both sides of `sequence`.
  private mutating func split(at sequence: UInt64) {
    let index = holes.partitioningIndex { $0.lines.upperBound > sequence }
    guard index < holes.count, holes[index].lines.lowerBound < sequence else { return }
    let hole = holes[index]
    holes[index].lines = hole.lines.lowerBound..<sequence
    holes.insert(Hole(lines: sequence..<hole.lines.upperBound, due: hole.due), at: index + 1)
  }

  private mutating func giveUpHole(at index: Int, into output: inout [Output]) {
    let lines = holes.remove(at: index).lines
    if case .gap(let before) = output.last, before.upperBound == lines.lowerBound {
      output[output.count - 1] = .gap(before.lowerBound..<lines.upperBound)
    } else {
      output.append(.gap(lines))
    }
    showWhatWaits(into: &output)
  }

  private mutating func showWhatWaits(into output: inout [Output]) {
    let ready = holes.first.map { held.position(of: $0.lines.lowerBound) } ?? held.count
    for line in held[..<ready] {
      output.append(.line(line))
      heldCost -= line.cost
    }
    held.removeFirst(ready)
  }
}
