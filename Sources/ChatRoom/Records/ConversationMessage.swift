import ChatTransport
import Primitives

/// A message on the room's channel, from peer to peer: a kind, and what belongs to it.
enum ConversationMessage: Hashable, Sendable {
  /// An author is in the room. He has said `owedAfter` lines of which this peer gets none any
  /// more; what comes after them reaches it. The record is of the kind `iam`.
  case greeting(owedAfter: UInt64, Record)
  /// A line or a goodbye.
  case record(Record)
  /// These lines of an author will not come to this peer: they were given up.
  case withheld(Incarnation, ClosedRange<UInt64>)

  /// On which channel the conversation is held. Channel 2 is kept for repair.
  static let channel: UInt8 = 1

  private enum Kind: UInt8 {
    case greeting = 1
    case record = 2
    case withheld = 3
  }

  /// How many bytes a message of the kind `record` has besides the record.
  static let recordOverhead = 1

  func encoded() -> [UInt8] {
    [UInt8](capacity: encodedByteCount) { (output: inout OutputSpan<UInt8>) in
      switch self {
      case .greeting(let owedAfter, let record):
        output.append(Kind.greeting.rawValue)
        output.append(variableLength: owedAfter)
        record.encode(into: &output)
      case .record(let record):
        output.append(Kind.record.rawValue)
        record.encode(into: &output)
      case .withheld(let author, let lines):
        output.append(Kind.withheld.rawValue)
        output.append(author)
        output.append(variableLength: lines.lowerBound)
        output.append(variableLength: lines.upperBound)
      }
    }
  }

  /// Reads a message that takes up all of `bytes`; `nil` where it is not one.
  init?(decoding bytes: Span<UInt8>) {
    var offset = 0
    guard let rawKind = bytes.uint8(at: &offset), let kind = Kind(rawValue: rawKind) else {
      return nil
    }
    do throws(RecordError) {
      switch kind {
      case .greeting:
        let owedAfter = try bytes.shortestNumber(at: &offset)
        let record = try Record(decoding: bytes.extracting(offset..<bytes.count))
        guard record.kind == .iam, owedAfter <= record.sequence else { return nil }
        self = .greeting(owedAfter: owedAfter, record)
      case .record:
        let record = try Record(decoding: bytes.extracting(offset..<bytes.count))
        guard record.kind != .iam else { return nil }
        self = .record(record)
      case .withheld:
        guard let author = bytes.incarnation(at: &offset) else { return nil }
        let first = try bytes.shortestNumber(at: &offset)
        let last = try bytes.shortestNumber(at: &offset)
        guard first > 0, first <= last, offset == bytes.count else { return nil }
        self = .withheld(author, first...last)
      }
    } catch {
      return nil
    }
  }

  private var encodedByteCount: Int {
    switch self {
    case .greeting(let owedAfter, let record):
      1 + variableLengthWidth(owedAfter) + record.encodedByteCount
    case .record(let record): Self.recordOverhead + record.encodedByteCount
    case .withheld(_, let lines):
      1 + 24 + variableLengthWidth(lines.lowerBound) + variableLengthWidth(lines.upperBound)
    }
  }
}
