public import ChatTransport
public import Primitives

/// Sends every message back to where it came from, as it came, until its last peer has left.
public struct EchoServer: TransportApplication {
  public private(set) var isOver = false
  /// Messages that could not be sent back.
  public private(set) var refused = 0

  public init() {}

  public mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while let event = transport.nextEvent() {
      switch event {
      case .message(let message):
        let options = SendOptions(
          channel: message.channel, delivery: message.delivery, reportsAcknowledgement: false)
        do throws(SendError) {
          _ = try transport.send(
            message.payload.span, to: .peer(message.peer), options, at: now)
        } catch {
          refused += 1
        }
      case .peerLeft, .closed: isOver = true
      default: break
      }
    }
  }

  public var deadline: Instant? { nil }
}
