import Primitives

/// What an acknowledgement, or the passing of time, says about sent packets.
///
/// One value is used again and again: `removeAll` keeps the memory of the lists. Several calls may
/// add to it before somebody looks at it.
struct RecoveryOutcome {
  /// Parts of streams that have arrived; neighbouring ones are merged. Also those of packets that
  /// were told as lost before.
  var acknowledged: [SentChunk] = []
  /// Parts of streams that were in lost packets; neighbouring ones are merged.
  var lost: [SentChunk] = []
  /// Bytes of whole packets that were in flight and have arrived.
  var acknowledgedBytes = 0
  /// Bytes of whole packets that are lost, without probes of the path's size.
  var lostBytes = 0
  /// A lost packet carried windows of flow control.
  var lostWindows = false
  /// The largest number of an acknowledgement of ours that the peer has: what is not above it need
  /// not be told again, see `ReceivedPackets.prune`.
  var largestAcknowledgementHeard: UInt64?
  /// When the newest packet was sent that has arrived now, of those that were in flight.
  var newestAcknowledgedSentAt: Instant?
  /// When the newest packet was sent that is lost now, without probes of the path's size.
  var newestLostSentAt: Instant?
  /// Nothing came through for so long that the path has to be learnt anew (RFC 9002, section 7.6).
  var isPersistentCongestion = false
  /// All losses since the last reduction of the window proved to be none: it can be undone.
  var spurious = false
  /// In the order of packet numbers, each packet that asked for an acknowledgement once; probes of
  /// the path's size are left out, as their size decides their fate.
  var fates: [PacketFate] = []
  /// Packets told in `fates` as lost before that have arrived after all.
  var corrections: [PacketFate] = []
  /// Whether the next two are filled.
  var listsPackets = false
  /// Packets that are lost, for the trace; probes of the path's size are among them.
  var lostPackets: [LostPacket] = []
  /// Numbers of packets that were lost and have arrived after all.
  var latePackets: [UInt64] = []
  /// Size of the largest probe of the path's size that is lost.
  var probeLost: Int?
  /// Size of the largest probe of the path's size that has arrived.
  var probeAcknowledged: Int?

  /// Forgets all, and keeps the memory.
  mutating func removeAll() {
    // Asking first is cheaper than emptying what is empty.
    if !acknowledged.isEmpty { acknowledged.removeAll(keepingCapacity: true) }
    if !lost.isEmpty { lost.removeAll(keepingCapacity: true) }
    if !fates.isEmpty { fates.removeAll(keepingCapacity: true) }
    if !corrections.isEmpty { corrections.removeAll(keepingCapacity: true) }
    if !lostPackets.isEmpty { lostPackets.removeAll(keepingCapacity: true) }
    if !latePackets.isEmpty { latePackets.removeAll(keepingCapacity: true) }
    acknowledgedBytes = 0
    lostBytes = 0
    lostWindows = false
    largestAcknowledgementHeard = nil
    newestAcknowledgedSentAt = nil
    newestLostSentAt = nil
    isPersistentCongestion = false
    spurious = false
    probeLost = nil
    probeAcknowledged = nil
  }

  /// How far back a neighbour is looked for: as many streams may take turns.
  private static let neighbours = 4

  /// Adds a chunk to a list, or to one of its last elements.
  static func add(_ chunk: SentChunk, to list: inout [SentChunk]) {
    var index = list.count - 1
    while index >= max(0, list.count - neighbours) {
      // A look first, as it costs less than the right to change.
      if list[index].continues(with: chunk), list[index].extend(by: chunk) { return }
      index -= 1
    }
    list.append(chunk)
  }
}

/// A packet that was declared lost.
struct LostPacket: Equatable {
  var number: UInt64
  var size: Int
  var cause: TraceLossCause
}
