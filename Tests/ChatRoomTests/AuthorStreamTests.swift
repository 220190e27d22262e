import Primitives
import Testing

@testable import ChatRoom

struct AuthorStreamTests {
  static let limits = AuthorStreamLimits(lines: 1_000, cost: 1 << 20, holes: 1_000)
  static let due = Instant.zero + .milliseconds(100)

  /// A stream, and what has come out of it.
  struct Bench {
    var stream = AuthorStream(after: 0)
    var output: [AuthorStream.Output] = []
    var limits = AuthorStreamTests.limits

    @discardableResult
    mutating func receive(_ sequence: UInt64, isUnreliable: Bool = false) -> Bool {
      stream.receive(
        Line(sequence: sequence, isUnreliable: isUnreliable, text: []), gapDue: due,
        limits: limits, into: &output)
    }

    var shown: [UInt64] {
      output.compactMap {
        guard case .line(let line) = $0 else { return nil }
        return line.sequence
      }
    }

    var lost: [UInt64] {
      output.flatMap { element -> [UInt64] in
        guard case .gap(let missing) = element else { return [] }
        return Array(missing)
      }
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func reliableLinesComeOnceAndInOrder(seed: UInt64) {
    var dice = Dice(seed)
    var bench = Bench()
    let once = Array(1...60 as ClosedRange<UInt64>)
    for sequence in dice.shuffled(once + once) { bench.receive(sequence) }
    #expect(bench.shown == once, "seed \(seed)")
    #expect(bench.lost.isEmpty && bench.stream.isComplete && bench.stream.heldCost == 0)
  }

  /// Whatever is lost, doubled, reordered or late: every number is told once, shown or lost.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func everyNumberIsToldOnce(seed: UInt64) {
    var dice = Dice(seed)
    var bench = Bench()
    bench.limits = AuthorStreamLimits(
      lines: 1 + dice.number(below: 20), cost: 64 * (1 + dice.number(below: 20)),
      holes: 1 + dice.number(below: 5))
    let isMixed = dice.number(below: 3)
    let sent = Array(1...80 as ClosedRange<UInt64>)
    for sequence in dice.shuffled(sent + sent) where dice.number(below: 4) > 0 {
      switch dice.number(below: 40) {
      case 0: bench.stream.advance(to: Self.due, into: &bench.output)
      case 1:
        bench.stream.giveUp(sequence...min(80, sequence + 3), into: &bench.output)
      case 2: bench.stream.setDue(Self.due, upTo: sequence)
      default: break
      }
      let isUnreliable = isMixed == 0 || isMixed == 1 && dice.number(below: 2) == 0
      bench.receive(sequence, isUnreliable: isUnreliable)
    }
    bench.stream.expect(upTo: 80, due: nil)
    bench.stream.giveUpAll(into: &bench.output)
    #expect((bench.shown + bench.lost).sorted() == sent, "seed \(seed)")
    if isMixed == 2 { #expect(bench.shown == bench.shown.sorted(), "seed \(seed)") }
    #expect(bench.stream.isComplete && bench.stream.heldCost == 0)
    #expect(bench.stream.deadline == nil)
  }

  @Test func anUnreliableLineIsShownAtOnceAndTheGapLater() {
    var bench = Bench()
    bench.receive(1, isUnreliable: true)
    bench.receive(4, isUnreliable: true)
    #expect(bench.shown == [1, 4])
    #expect(bench.stream.deadline == Self.due)
    bench.receive(3, isUnreliable: true)
    #expect(bench.shown == [1, 4, 3])
    bench.stream.advance(to: Self.due, into: &bench.output)
    #expect(bench.lost == [2])
    let isNew = bench.receive(2, isUnreliable: true)
    #expect(!isNew)
    #expect(bench.shown == [1, 4, 3])
  }

  @Test func aReliableLineWaitsWithoutADeadline() {
    var bench = Bench()
    bench.receive(2)
    #expect(bench.shown.isEmpty)
    #expect(bench.stream.deadline == nil)
    bench.receive(1)
    #expect(bench.shown == [1, 2])
  }

  @Test func beyondTheLimitWhatIsMissingIsToldAndTheRestShown() {
    var bench = Bench()
    bench.limits.lines = 2
    for sequence in [3, 4] as [UInt64] { bench.receive(sequence) }
    #expect(bench.output.isEmpty)
    bench.receive(7)
    #expect(bench.lost == [1, 2])
    #expect(bench.shown == [3, 4])
  }

  @Test func onlyWhatIsDueIsTold() {
    var bench = Bench()
    bench.receive(10)
    bench.stream.setDue(Self.due, upTo: 4)
    bench.stream.advance(to: Self.due, into: &bench.output)
    #expect(bench.lost == [1, 2, 3, 4])
    #expect(bench.shown.isEmpty)
    bench.stream.giveUp(6...7, into: &bench.output)
    #expect(bench.lost == [1, 2, 3, 4, 6, 7])
    for sequence in [9, 8, 5] as [UInt64] { bench.receive(sequence) }
    #expect(bench.shown == [5, 8, 9, 10])
  }

  @Test func neighbouringGapsAreOne() {
    var bench = Bench()
    bench.receive(3)
    bench.stream.setDue(Self.due, upTo: 1)
    bench.stream.giveUpAll(into: &bench.output)
    #expect(bench.output.first == .gap(1..<3))
  }

  @Test func theGreatestNumbersDoNotTrap() {
    var bench = Bench()
    bench.receive(variableLengthMaximum)
    bench.stream.setDue(Self.due, upTo: variableLengthMaximum)
    bench.stream.giveUp(1...variableLengthMaximum, into: &bench.output)
    #expect(bench.output.first == .gap(1..<variableLengthMaximum))
    #expect(bench.shown == [variableLengthMaximum])
  }
}
