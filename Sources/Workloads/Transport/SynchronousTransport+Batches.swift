public import ChatTransport
public import Primitives

// The two methods and the type of this file are those of the common interface. They stand here for
// transports that do not have them yet, by way of the plain calls.

/// What is known of a message besides its payload.
public struct MessageInfo: Hashable, Sendable {
  public var peer: PeerID
  public var channel: UInt8
  public var delivery: Delivery
  public var sequence: UInt64?
}

extension SynchronousTransport where Self: ~Copyable {
  /// Lends the messages that wait, up to the next other event; returns how many there were.
  public mutating func readMessages(_ body: (Span<UInt8>, MessageInfo) -> Void) -> Int { 0 }

  /// Sends `count` messages that stand in `run` one after the other, each behind its length as a
  /// variable-length number. Returns how many were taken; throws where it was none.
  public mutating func send(
    run: Span<UInt8>, count: Int, to destination: Destination, _ options: SendOptions,
    at now: Instant
  ) throws(SendError) -> Int {
    var offset = 0
    for index in 0..<count {
      guard let length = run.variableLength(at: &offset),
        let range = run.bytes(Int(length), at: &offset)
      else { preconditionFailure("a run holds as many messages as it says") }
      do throws(SendError) {
        _ = try send(run.extracting(range), to: destination, options, at: now)
      } catch {
        if index == 0 { throw error }
        return index
      }
    }
    return count
  }
}
