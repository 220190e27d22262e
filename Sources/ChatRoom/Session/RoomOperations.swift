import ChatTransport
import Primitives

struct Joining: RoomOperation {
  let name: String

  func apply<Transport: SynchronousTransport & ~Copyable>(
    to room: inout ChatRoom, over transport: inout Transport, at now: Instant
  ) -> Result<Void, JoinError> {
    do throws(JoinError) {
      return .success(try room.join(as: name, over: &transport, at: now))
    } catch {
      return .failure(error)
    }
  }
}

struct Saying: RoomOperation {
  let text: [UInt8]

  func apply<Transport: SynchronousTransport & ~Copyable>(
    to room: inout ChatRoom, over transport: inout Transport, at now: Instant
  ) -> Result<RecordID, SayError> {
    do throws(SayError) {
      return .success(try room.say(text, over: &transport, at: now))
    } catch {
      return .failure(error)
    }
  }
}

struct Leaving: RoomOperation {
  func apply<Transport: SynchronousTransport & ~Copyable>(
    to room: inout ChatRoom, over transport: inout Transport, at now: Instant
  ) {
    room.leave(over: &transport, at: now)
  }
}

/// Hands one event of the transport to the room.
struct Handling: RoomOperation {
  let event: TransportEvent

  func apply<Transport: SynchronousTransport & ~Copyable>(
    to room: inout ChatRoom, over transport: inout Transport, at now: Instant
  ) {
    room.handle(event, over: &transport, at: now)
  }
}

/// Acts on the room's timers.
struct Waking: RoomOperation {
  func apply<Transport: SynchronousTransport & ~Copyable>(
    to room: inout ChatRoom, over transport: inout Transport, at now: Instant
  ) {
    room.advance(over: &transport, at: now)
  }
}

/// Reads what a session shows of its room.
struct Looking: RoomOperation {
  struct View: Sendable {
    var members: [Member]
    var unacknowledged: Int
  }

  func apply<Transport: SynchronousTransport & ~Copyable>(
    to room: inout ChatRoom, over transport: inout Transport, at now: Instant
  ) -> View {
    View(members: room.members, unacknowledged: room.unacknowledged)
  }
}
