import Primitives

/// A message of which not all fragments have come.
struct PartialMessage {
  private struct Part {
    var offset: Int
    /// Where its bytes begin in `storage`.
    var position: Int
    var count: Int
    var end: Int { offset + count }
  }

  let key: UnreliableKey
  let sequence: UInt64
  let totalSize: Int
  /// When it last grew.
  private(set) var latest: Instant
  /// The bytes of the parts in the order in which they came. None is there twice.
  private var storage: [UInt8]
  /// By offset; they do not overlap.
  private var parts: [Part] = []

  /// A sender's fragments are larger than what makes so many; one that sends tiny ones only spoils
  /// its own messages.
  static let maximumParts =
    2 * UnreliableFrame.maximumMessageSize / UnreliableSender.minimumFragment

  init(_ frame: UnreliableFrame, storage: consuming [UInt8], at now: Instant) {
    key = frame.key
    sequence = frame.sequence
    totalSize = frame.totalSize
    latest = now
    self.storage = storage
    self.storage.removeAll(keepingCapacity: true)
    self.storage.reserveCapacity(totalSize)
  }

  var isComplete: Bool { storage.count == totalSize }

  /// Takes in what is not there yet of `bytes`, which stand at `offset`. Returns whether there was
  /// anything.
  mutating func insert(_ bytes: Span<UInt8>, at offset: Int, at now: Instant) -> Bool {
    let end = offset + bytes.count
    let before = storage.count
    var position = offset
    // The first part that ends above the offset; mostly that is none.
    var index = parts.count
    while index > 0, parts[index - 1].end > offset { index -= 1 }
    while position < end {
      let gapEnd = index < parts.count ? min(parts[index].offset, end) : end
      if gapEnd > position, parts.count < Self.maximumParts {
        append(
          bytes.extracting((position - offset)..<(gapEnd - offset)), at: position, index: &index)
      }
      guard index < parts.count else { break }
      position = max(position, parts[index].end)
      index += 1
    }
    guard storage.count > before else { return false }
    latest = now
    return true
  }

  private mutating func append(_ bytes: Span<UInt8>, at offset: Int, index: inout Int) {
    let position = storage.count
    storage.append(addingCapacity: bytes.count) { (output: inout OutputSpan<UInt8>) in
      output.append(contentsOf: bytes)
    }
    if index > 0, parts[index - 1].end == offset,
      parts[index - 1].position + parts[index - 1].count == position
    {
      parts[index - 1].count += bytes.count
    } else {
      parts.insert(Part(offset: offset, position: position, count: bytes.count), at: index)
      index += 1
    }
  }

  /// Brings the bytes of a complete message in order and gives up the array that holds them.
  consuming func finish() -> [UInt8] {
    guard parts.count > 1 else { return storage }
    return [UInt8](capacity: totalSize) { (output: inout OutputSpan<UInt8>) in
      for part in parts {
        output.append(
          contentsOf: storage.span.extracting(part.position..<(part.position + part.count)))
      }
    }
  }
}
