import ChatTransport
import Primitives

@testable import DatagramPeer

/// All streams of a connection in one direction, both ends, without a network between them: what
/// is sent arrives, and so do the windows.
final class StreamsDriver {
  let sender = SendStreamsDriver()
  private var receiver: ReceiveStreams
  /// What the user of the receiving end was handed: channel and size of each message.
  private(set) var delivered: [(channel: UInt8, size: Int)] = []
  private(set) var gaps: [Gap] = []
  var mayDeliver = true
  private var inbox = EventBatch()
  private var now = Instant.zero
  private let peer = PeerID(rawValue: 1)

  init(maximumStreamWindow: Int = 4 << 20, maximumWindow: Int = 8 << 20) {
    receiver = ReceiveStreams(
      maximumStreamWindow: maximumStreamWindow, maximumWindow: maximumWindow)
  }

  /// Sends until nothing more may be sent, packet by packet; whether every packet was accepted.
  @discardableResult
  func run() -> Bool {
    while sender.hasWork {
      let (chunks, frames) = sender.packet()
      for frame in frames where !take(frame) { return false }
      _ = sender.acknowledged(chunks)
      tellWindows()
    }
    return true
  }

  /// Hands a frame over as if it had come alone.
  func take(_ frame: StreamFrame) -> Bool {
    now = now + .microseconds(10)
    switch frame {
    case .chunk(var chunk, let bytes):
      chunk.payload = 0..<bytes.count
      guard receiver.accepts(chunk, mayBuffer: true) else { return false }
      _ = receiver.take(
        chunk, of: bytes.span, peer: peer, mayDeliver: mayDeliver, at: now, into: &inbox)
    case .skip(let skip):
      guard receiver.accepts(skip) else { return false }
      _ = receiver.take(skip, peer: peer, mayDeliver: mayDeliver, at: now, into: &inbox)
    }
    read()
    return true
  }

  /// Holds a channel back, or hands over what waits on it, as a connection does.
  func setReceiving(_ isReceiving: Bool, channel: UInt8) {
    for isOrdered in [false, true] {
      receiver.pause(StreamID(channel: channel, isOrdered: isOrdered), !isReceiving)
    }
    if isReceiving { deliver() }
  }

  /// Hands over what was held back, if it may be.
  func deliver() {
    _ = receiver.deliver(peer: peer, into: &inbox)
    read()
    tellWindows()
  }

  /// The windows that the receiver has to tell, told.
  func tellWindows() {
    for frame in owedWindows() {
      switch frame {
      case .window(let window): sender.raiseLimit(to: window.limit)
      case .streamWindow(let window):
        sender.raiseLimit(of: window.stream, to: window.limit)
      default: break
      }
    }
  }

  /// The windows that the receiver has to tell, taken out.
  func owedWindows(room: Int = 1_200) -> [Frame] {
    let bytes = [UInt8](capacity: room) { (output: inout OutputSpan<UInt8>) in
      _ = receiver.writeWindows(upTo: room, into: &output)
    }
    var frames: [Frame] = []
    var offset = 0
    while offset < bytes.count, let frame = Frame(parsing: bytes.span, at: &offset) {
      frames.append(frame)
    }
    return frames
  }

  // An expectation can only look into what can be copied.
  var used: UInt64 { receiver.used }
  var limit: UInt64 { receiver.limit }
  var bufferedBytes: Int { receiver.bufferedBytes }
  var owesWindows: Bool { receiver.owesWindows }
  var isUnfinished: Bool { receiver.isUnfinished }
  var streamCount: Int { receiver.streams.count }
  /// The window of the first stream, and up to where its sender may send.
  var firstWindow: Int? { receiver.streams.count > 0 ? receiver.streams[0].window.size : nil }
  var firstLimit: UInt64 { receiver.streams[0].limit }
  var roundTrip: Interval? {
    get { receiver.roundTrip }
    set { receiver.roundTrip = newValue }
  }

  func repeatWindows() { receiver.repeatWindows() }

  func isStalled(for limit: Interval, at now: Instant) -> Bool {
    receiver.isStalled(for: limit, at: now)
  }

  /// How many messages of a channel were handed over.
  func count(_ channel: UInt8) -> Int { delivered.count { $0.channel == channel } }

  private func read() {
    while let event = inbox.nextEvent() {
      switch event {
      case .message(let message):
        delivered.append((channel: message.channel, size: message.payload.count))
      case .gap(let gap): gaps.append(gap)
      default: break
      }
    }
  }
}
