import ChatTransport
import Primitives

extension Beacon {
  /// Reads a beacon from bytes that nobody vouches for.
  public init(parsing bytes: Span<UInt8>) throws(BeaconError) {
    var offset = 0
    guard bytes.uint8(at: &offset) == Self.firstByte else { throw .notABeacon }
    guard let version = bytes.uint8(at: &offset) else { throw .truncated }
    guard version == Self.version else { throw .unsupportedVersion(version) }
    guard let flags = bytes.uint8(at: &offset), let topicCount = bytes.uint8(at: &offset),
      let high = bytes.uint64(at: &offset), let low = bytes.uint64(at: &offset),
      let epoch = bytes.uint64(at: &offset), let next = bytes.uint16(at: &offset)
    else { throw .truncated }
    guard let kind = Kind(rawValue: flags) else { throw .invalidFlags(flags) }

    self.kind = kind
    incarnation = Incarnation(identity: Identity(high: high, low: low), epoch: epoch)
    nextInMilliseconds = next
    topics = try Self.topics(topicCount, in: bytes, at: &offset)
    name = try Self.name(in: bytes, at: &offset)
    try Self.checkPadding(of: kind, in: bytes, from: offset)
  }

  /// Writes the beacon. Its topics and name are within their limits, and `buffer` has room for
  /// 160 bytes: the caller's fault otherwise.
  public func emit(into buffer: inout OutputSpan<UInt8>) {
    precondition((1...Self.topicLimit).contains(topics.count), "a beacon has 1 to 8 topics")
    precondition(name.utf8.count <= Self.nameLimit, "a name has at most 64 bytes")
    let start = buffer.count
    buffer.append(Self.firstByte)
    buffer.append(Self.version)
    buffer.append(kind.rawValue)
    buffer.append(UInt8(topics.count))
    buffer.append(bigEndian: incarnation.identity.high)
    buffer.append(bigEndian: incarnation.identity.low)
    buffer.append(bigEndian: incarnation.epoch)
    buffer.append(bigEndian: nextInMilliseconds)
    var previous: Topic?
    for topic in topics {
      precondition(previous.map { $0 < topic } ?? true, "topics are strictly ascending")
      buffer.append(bigEndian: topic.hash)
      previous = topic
    }
    buffer.append(UInt8(name.utf8.count))
    for byte in name.utf8 { buffer.append(byte) }
    guard kind.isAnswerable else { return }
    while buffer.count - start < Self.answerableSize { buffer.append(0) }
  }

  private static func topics(
    _ count: UInt8, in bytes: Span<UInt8>, at offset: inout Int
  ) throws(BeaconError) -> [Topic] {
    guard (1...topicLimit).contains(Int(count)) else { throw .invalidTopicCount(count) }
    guard bytes.count - offset >= Int(count) * 8 else { throw .truncated }
    var topics: [Topic] = []
    topics.reserveCapacity(Int(count))
    while topics.count < Int(count), let hash = bytes.uint64(at: &offset) {
      let topic = Topic(hash: hash)
      if let last = topics.last, last >= topic { throw .unorderedTopics }
      topics.append(topic)
    }
    return topics
  }

  private static func name(
    in bytes: Span<UInt8>, at offset: inout Int
  ) throws(BeaconError) -> String {
    guard let length = bytes.uint8(at: &offset) else { throw .truncated }
    guard Int(length) <= nameLimit else { throw .invalidName }
    guard let range = bytes.bytes(Int(length), at: &offset) else { throw .truncated }
    let utf8 = bytes.copy(range)
    let name = String(decoding: utf8, as: UTF8.self)
    // Decoding repairs what is not UTF-8, and the repaired bytes differ from those that came.
    guard name.utf8.elementsEqual(utf8) else { throw .invalidName }
    return name
  }

  private static func checkPadding(
    of kind: Kind, in bytes: Span<UInt8>, from offset: Int
  ) throws(BeaconError) {
    guard kind.isAnswerable else {
      guard offset == bytes.count else { throw .invalidPadding }
      return
    }
    guard bytes.count >= answerableSize else { throw .truncated }
    guard bytes.count == answerableSize else { throw .invalidPadding }
    for index in offset..<bytes.count {
      guard bytes[index] == 0 else { throw .invalidPadding }
    }
  }
}
