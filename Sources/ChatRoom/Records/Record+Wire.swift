import ChatCodec
import ChatTransport
import Primitives

/// The layout of a record. Every record has exactly one encoding, so that the same bytes and the
/// same record are one thing, for those who compare and for those who will sign.
extension Record {
  private static let unreliableFlag: UInt8 = 0x01

  /// How many bytes `encode` writes.
  public var encodedByteCount: Int {
    let name = name.text.utf8.count
    return 3 + 8 + 16 + 8 + variableLengthWidth(sequence) + 1 + name
      + [body, tag, signature].reduce(0) { $0 + variableLengthWidth(UInt64($1.count)) + $1.count }
  }

  /// Appends the record; there is room for `encodedByteCount` bytes.
  public func encode(into output: inout OutputSpan<UInt8>) {
    output.append(Self.version)
    output.append(kind.rawValue)
    output.append(isUnreliable ? Self.unreliableFlag : 0)
    output.append(bigEndian: room.rawValue)
    output.append(author)
    output.append(variableLength: sequence)
    output.append(UInt8(name.text.utf8.count))
    for byte in name.text.utf8 { output.append(byte) }
    for field in [body, tag, signature] {
      output.append(variableLength: UInt64(field.count))
      output.append(contentsOf: field)
    }
  }

  /// Reads a record that takes up all of `bytes`. Nothing in them is trusted.
  public init(decoding bytes: Span<UInt8>) throws(RecordError) {
    var offset = 0
    let (kind, flags) = try Self.decodeStart(bytes, at: &offset)
    guard let room = bytes.uint64(at: &offset), let author = bytes.incarnation(at: &offset) else {
      throw .truncated
    }
    let sequence = try bytes.shortestNumber(at: &offset)
    guard kind != .msg || sequence > 0 else { throw .unnumbered }
    let name = try Self.decodeName(bytes, at: &offset)
    let body = try bytes.field(at: &offset, limit: Self.maximumBodyByteCount)
    let tag = try bytes.field(at: &offset, limit: Self.maximumTagByteCount)
    let signature = try bytes.field(at: &offset, limit: Self.maximumSignatureByteCount)
    guard offset == bytes.count else { throw .trailingBytes(bytes.count - offset) }
    try Self.check(bytes.extracting(body), of: kind, by: name)
    self.init(
      kind: kind, isUnreliable: flags & Self.unreliableFlag != 0, room: RoomHash(rawValue: room),
      author: author, sequence: sequence, name: name, body: bytes.copy(body))
    self.tag = bytes.copy(tag)
    self.signature = bytes.copy(signature)
  }

  private static func decodeStart(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(RecordError) -> (kind: Kind, flags: UInt8) {
    guard let version = bytes.uint8(at: &offset) else { throw .truncated }
    guard version == Self.version else { throw .unknownVersion(version) }
    guard let rawKind = bytes.uint8(at: &offset) else { throw .truncated }
    guard let kind = Kind(rawValue: rawKind) else { throw .unknownKind(rawKind) }
    guard let flags = bytes.uint8(at: &offset) else { throw .truncated }
    guard flags & ~unreliableFlag == 0 else { throw .unknownFlags(flags) }
    return (kind, flags)
  }

  private static func decodeName(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(RecordError) -> ChatName {
    guard let length = bytes.uint8(at: &offset) else { throw .truncated }
    guard length <= ChatName.maximumByteCount else {
      throw .fieldTooLong(size: UInt64(length), limit: ChatName.maximumByteCount)
    }
    guard let range = bytes.bytes(Int(length), at: &offset) else { throw .truncated }
    let name: ChatName
    do throws(ChatNameError) {
      name = try ChatName(bytes: bytes.extracting(range))
    } catch {
      throw .invalidName(error)
    }
    guard name.text.utf8.count == range.count else { throw .nameNotTrimmed }
    return name
  }

  private static func check(
    _ body: Span<UInt8>, of kind: Kind, by name: ChatName
  ) throws(RecordError) {
    guard kind != .bye else {
      guard body.isEmpty else { throw .mismatchedBody }
      return
    }
    let frame: ChatFrame
    do throws(ChatFrameError) {
      frame = try ChatFrame(decoding: body)
    } catch {
      throw .invalidBody(error)
    }
    switch (kind, frame) {
    case (.msg, .msg): break
    case (.iam, .iam(let introduced)):
      // Bytes, not characters: what compares equal as text may still be two encodings.
      guard introduced.text.utf8.elementsEqual(name.text.utf8) else { throw .mismatchedBody }
    default: throw .mismatchedBody
    }
  }
}

extension OutputSpan where Element == UInt8 {
  mutating func append(_ incarnation: Incarnation) {
    append(bigEndian: incarnation.identity.high)
    append(bigEndian: incarnation.identity.low)
    append(bigEndian: incarnation.epoch)
  }
}

extension Span where Element == UInt8 {
  func incarnation(at offset: inout Int) -> Incarnation? {
    guard let high = uint64(at: &offset), let low = uint64(at: &offset),
      let epoch = uint64(at: &offset)
    else { return nil }
    return Incarnation(identity: Identity(high: high, low: low), epoch: epoch)
  }

  /// A variable-length number that is in its shortest form.
  func shortestNumber(at offset: inout Int) throws(RecordError) -> UInt64 {
    let start = offset
    guard let number = variableLength(at: &offset) else { throw .truncated }
    guard offset - start == variableLengthWidth(number) else { throw .notShortest }
    return number
  }

  /// The range of a field that has its length in front.
  func field(at offset: inout Int, limit: Int) throws(RecordError) -> Range<Int> {
    let length = try shortestNumber(at: &offset)
    guard length <= limit else { throw .fieldTooLong(size: length, limit: limit) }
    guard let range = bytes(Int(length), at: &offset) else { throw .truncated }
    return range
  }
}
