import ChatTransport
import Primitives

/// Who is connected with whom, and what each has sent to the other: what users know who talk to
/// each other behind the protocol's back.
final class Ledger {
  /// One life of a program on one host.
  struct Life: Hashable {
    var host: Int
    var number: Int
  }

  /// One end of a connection, from `peerJoined` to `peerLeft`.
  struct End {
    let life: Life
    let peer: PeerID
    /// Who is at the other end; `nil` where that was never heard of.
    let remote: Life?
    var hasLeft = false
    /// The other end, as soon as a message has told which it is.
    var other: Int?
    /// What was sent from here.
    var streams: [Stream] = []
    var places: [StreamKey: Int] = [:]
    /// Messages whose acknowledgement is awaited here, by the name that `send` gave them.
    var awaited: [MessageID: (stream: Int, index: Int)] = [:]
    /// What had arrived before it was known which end is the other.
    var early: [(key: StreamKey, index: Int)] = []
    var isUnderPressure = false
  }

  /// The messages of one channel and delivery, in the order in which they were sent.
  struct Stream {
    let key: StreamKey
    var messages: [Message] = []
    /// One above the largest index that arrived.
    var arrivedEnd = 0
  }

  struct StreamKey: Hashable {
    var channel: UInt8
    var delivery: Delivery

    var isReliable: Bool { delivery == .ordered || delivery == .reliable }
  }

  struct Message {
    /// Whether it may be given up for its age.
    var hasAge = false
    var hasArrived = false
    var fate = Fate.open
  }

  enum Fate: Hashable {
    case open
    case acknowledged
    case givenUp(GiveUpReason)
  }

  /// A numbered message, on all connections that it was sent over.
  struct Numbered {
    var key: StreamKey
    var size: Int
    var places: [(end: Int, index: Int)] = []
  }

  /// In the order in which they were heard of.
  var ends: [End] = []
  var numbered: [Numbered] = []
  /// The ends at each host that are connected now, in the order of joining.
  private(set) var open: [[Int]]
  private var names: [Name: Int] = [:]
  private(set) var lives: [Int]

  private struct Name: Hashable {
    var life: Life
    var peer: PeerID
  }

  init(hostCount: Int) {
    open = Array(repeating: [], count: hostCount)
    lives = Array(repeating: 0, count: hostCount)
  }

  func life(of host: Int) -> Life { Life(host: host, number: lives[host]) }

  /// A program begins a new life: what was open in the old one has ended without a word.
  func restart(_ host: Int) {
    for end in open[host] { ends[end].hasLeft = true }
    open[host] = []
    lives[host] += 1
  }

  /// The end that a host in its present life knows as `peer`.
  func end(at host: Int, _ peer: PeerID) -> Int? {
    names[Name(life: life(of: host), peer: peer)]
  }

  func join(_ host: Int, _ peer: PeerID, remote: Life?) {
    names[Name(life: life(of: host), peer: peer)] = ends.count
    open[host].append(ends.count)
    ends.append(End(life: life(of: host), peer: peer, remote: remote))
  }

  func leave(_ end: Int) {
    ends[end].hasLeft = true
    open[ends[end].life.host].removeAll { $0 == end }
  }

  /// Notes a message as the next of its stream.
  func append(
    _ key: StreamKey, id: MessageID, number: Int?, hasAge: Bool, from end: Int
  ) {
    let place = place(of: key, at: end)
    let index = ends[end].streams[place].messages.count
    ends[end].streams[place].messages.append(Message(hasAge: hasAge))
    if key.isReliable { ends[end].awaited[id] = (place, index) }
    if let number { numbered[number].places.append((end, index)) }
  }

  /// How many messages of a stream were sent from an end.
  func count(_ key: StreamKey, from end: Int) -> Int {
    guard let place = ends[end].places[key] else { return 0 }
    return ends[end].streams[place].messages.count
  }

  private func place(of key: StreamKey, at end: Int) -> Int {
    if let place = ends[end].places[key] { return place }
    let place = ends[end].streams.count
    ends[end].places[key] = place
    ends[end].streams.append(Stream(key: key))
    return place
  }
}
