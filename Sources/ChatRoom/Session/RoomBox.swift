import ChatTransport
import Primitives

/// The room of a session, where the operations on the loop thread find it.
///
/// It may be handed about although nothing guards it: `room` is touched by `Driving` alone, which
/// the transport runs on its loop thread, one operation after the other
/// (`AsynchronousTransport.perform`). A continuation is safe anywhere.
final class RoomBox: @unchecked Sendable {
  fileprivate var room: ChatRoom
  private let events: AsyncStream<RoomEvent>.Continuation

  init(_ room: ChatRoom, _ events: AsyncStream<RoomEvent>.Continuation) {
    self.room = room
    self.events = events
  }

  func finish() { events.finish() }

  /// Hands the room's events over while still on the loop thread, so that they keep their order.
  /// Returns how many found no room.
  fileprivate func tell() -> Int {
    var droppedCount = 0
    while let event = room.nextEvent() {
      if case .dropped = events.yield(event) { droppedCount += 1 }
      if case .closed = event { events.finish() }
    }
    return droppedCount
  }
}

/// Something to be done with the room of a session, and with the transport below it.
protocol RoomOperation: Sendable {
  associatedtype Output: Sendable

  func apply<Transport: SynchronousTransport & ~Copyable>(
    to room: inout ChatRoom, over transport: inout Transport, at now: Instant
  ) -> Output
}

/// Runs an operation on the loop thread.
struct Driving<Operation: RoomOperation>: TransportOperation {
  struct Output: Sendable {
    var output: Operation.Output
    /// When the room wants to be woken.
    var deadline: Instant?
    var now: Instant
    var droppedEvents: Int
  }

  let box: RoomBox
  let operation: Operation

  func callAsFunction<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) -> Output {
    let output = operation.apply(to: &box.room, over: &transport, at: now)
    let droppedEvents = box.tell()
    return Output(
      output: output, deadline: box.room.deadline, now: now, droppedEvents: droppedEvents)
  }
}
