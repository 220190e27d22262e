public import Primitives

/// The asynchronous face of a transport: the same operations for applications, from any task.
///
/// The order and the moment in which tasks run is not repeatable, and each hop from a task to the
/// loop thread and back costs microseconds; for what has to be exact or fast there is `perform`,
/// which runs an operation on the loop thread, against the synchronous face.
public protocol AsynchronousTransport: AnyObject, Sendable {
  associatedtype Events: AsyncSequence & Sendable
  where Events.Element == TransportEvent, Events.Failure == Never

  /// What this transport can do; constant for its whole life.
  var capabilities: TransportCapabilities { get }

  /// All events in order, each once, for one reader; it ends after `closed`.
  var events: Events { get }

  /// Runs `operation` on the loop thread, and returns what it returned.
  func perform<Operation: TransportOperation>(_ operation: Operation) async -> Operation.Output

  /// Ends all connections in an orderly way, and returns when `closed` has been told.
  func close() async
}

/// Something to be done with a transport on its loop thread.
public protocol TransportOperation: Sendable {
  associatedtype Output: Sendable

  /// Does it. Must not block, nor call `nextEvent`: events belong to the reader of `events`.
  func callAsFunction<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) -> Output
}

extension AsynchronousTransport {
  /// Accepts a message for sending, whole or not at all; see `SynchronousTransport.send`.
  public func send(
    _ payload: [UInt8], to destination: Destination, _ options: SendOptions = SendOptions()
  ) async throws(SendError) -> SendReceipt {
    let results = await send(batch: [payload], to: destination, options)
    return try results[0].get()
  }

  /// Accepts messages for sending one after the other, with one hop for all of them. Each has a
  /// result of its own, in the same order.
  public func send(
    batch payloads: [[UInt8]], to destination: Destination, _ options: SendOptions = SendOptions()
  ) async -> [Result<SendReceipt, SendError>] {
    await perform(Sending(payloads: payloads, destination: destination, options: options))
  }

  /// Ends the connection to one peer in an orderly way.
  public func disconnect(_ peer: PeerID) async {
    await perform(Disconnecting(peer: peer))
  }

  /// Figures of one peer, or `nil` where it is not there.
  public func statistics(of peer: PeerID) async -> TransportStatistics? {
    await perform(Measuring(peer: peer))
  }
}

private struct Sending: TransportOperation {
  var payloads: [[UInt8]]
  var destination: Destination
  var options: SendOptions

  func callAsFunction<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) -> [Result<SendReceipt, SendError>] {
    var results: [Result<SendReceipt, SendError>] = []
    results.reserveCapacity(payloads.count)
    for payload in payloads {
      do throws(SendError) {
        results.append(
          .success(try transport.send(payload.span, to: destination, options, at: now)))
      } catch {
        results.append(.failure(error))
      }
    }
    return results
  }
}

private struct Disconnecting: TransportOperation {
  var peer: PeerID

  func callAsFunction<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    transport.disconnect(peer, at: now)
  }
}

private struct Measuring: TransportOperation {
  var peer: PeerID

  func callAsFunction<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) -> TransportStatistics? {
    transport.statistics(of: peer)
  }
}
