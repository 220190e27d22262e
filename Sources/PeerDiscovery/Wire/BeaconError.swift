/// Why bytes are not a beacon.
public enum BeaconError: Error, Hashable, Sendable {
  /// The first byte is not that of a beacon.
  case notABeacon
  /// A beacon of a version that this program does not know.
  case unsupportedVersion(UInt8)
  /// The bytes end before the beacon does.
  case truncated
  /// Flags that are unknown, or that contradict each other.
  case invalidFlags(UInt8)
  /// Not 1 to 8 topics.
  case invalidTopicCount(UInt8)
  /// Topics that are not in ascending order, or one twice.
  case unorderedTopics
  /// A name of more than 64 bytes, or one that is not UTF-8.
  case invalidName
  /// Bytes behind the beacon, or padding that is not zero or not as long as it has to be.
  case invalidPadding
}
