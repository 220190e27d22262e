public import ChatCodec

/// Why bytes are not a record.
public enum RecordError: Error, Hashable, Sendable {
  /// They end before the record does.
  case truncated
  case unknownVersion(UInt8)
  case unknownKind(UInt8)
  /// Flags are set that have no meaning in this version.
  case unknownFlags(UInt8)
  /// A number is not in its shortest form, so that the record would have two encodings.
  case notShortest
  /// A line has the number 0; the first is 1.
  case unnumbered
  case invalidName(ChatNameError)
  /// The name has white space at its ends, so that the record would have two encodings.
  case nameNotTrimmed
  /// A field has `size` bytes, and at most `limit` are allowed.
  case fieldTooLong(size: UInt64, limit: Int)
  case invalidBody(ChatFrameError)
  /// The body is not of the record's kind, or introduces somebody of another name.
  case mismatchedBody
  /// `count` bytes are left over behind the record.
  case trailingBytes(Int)
}
