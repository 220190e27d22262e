public import ChatTransport
public import Primitives

/// Sends a message, waits for it to come back, and sends the next: the time there and back as an
/// application sees it.
public struct EchoClient: TransportApplication {
  /// How long each took, without the first tenth.
  public private(set) var roundTrips = Samples()
  public private(set) var isOver = false
  public private(set) var failure: LeaveReason?

  private let count: Int
  private let warmUp: Int
  private let options: SendOptions
  private let payload: [UInt8]
  private var peer: PeerID?
  private var returned = 0
  private var sentAt: Instant?

  /// - Parameter count: how many round trips are measured.
  public init(size: Int = 64, count: Int, options: SendOptions = SendOptions()) {
    self.count = count
    self.options = options
    warmUp = count / 10
    payload = [UInt8](repeating: 1, count: size)
    roundTrips.reserve(count)
  }

  public mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while let event = transport.nextEvent() { take(event, at: now) }
    guard let peer, !isOver, sentAt == nil else { return }
    guard returned < warmUp + count else {
      isOver = true
      transport.close(at: now)
      return
    }
    do throws(SendError) {
      _ = try transport.send(payload.span, to: .peer(peer), options, at: now)
      sentAt = now
    } catch {
      isOver = true
    }
  }

  public var deadline: Instant? { nil }

  private mutating func take(_ event: TransportEvent, at now: Instant) {
    switch event {
    case .peerJoined(let joined, _): if peer == nil { peer = joined }
    case .message:
      guard let sentAt else { return }
      if returned >= warmUp {
        roundTrips.append(UInt64(max(0, (now - sentAt).nanoseconds)))
      }
      returned += 1
      self.sentAt = nil
    case .peerLeft(let left, let reason) where left == peer:
      if !isOver { failure = reason }
      isOver = true
    case .closed: isOver = true
    default: break
    }
  }
}
