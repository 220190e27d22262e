public import ChatTransport
public import Primitives

/// A room for applications: `ChatRoom` over the asynchronous face of a transport, from any task.
///
/// The session becomes the one reader of the transport's events, and lives until the transport is
/// closed, by `leave` or from below. Every call hops to the loop thread of the transport and back;
/// what has to be fast or repeatable uses `ChatRoom` itself there.
public actor ChatSession<Transport: AsynchronousTransport> {
  /// What happens in the room, each event once, for one reader; it ends after `closed`.
  ///
  /// At most `eventLimit` events wait for a slow reader; beyond that the oldest are dropped, which
  /// `droppedEvents` counts.
  public nonisolated let events: AsyncStream<RoomEvent>
  /// How many events were dropped because nobody read them in time.
  public private(set) var droppedEvents = 0
  private let transport: Transport
  private let box: RoomBox
  private let sleep: @Sendable (Interval) async -> Void
  /// For when the next look at the room's timers is arranged.
  private var wakeAt: Instant?
  private var hasEnded = false
  /// Those who wait in `leave`.
  private var leaving: [CheckedContinuation<Void, Never>] = []

  /// Opens a session. Nobody sees us before `join`.
  ///
  /// - Parameters:
  ///   - incarnation: who we are; see `ChatRoom`.
  ///   - eventLimit: how many events may wait for their reader.
  ///   - sleep: returns after that time, or earlier where its task is cancelled; this module has
  ///     no clock. `{ try? await Task.sleep(for: .nanoseconds($0.nanoseconds)) }` does it.
  public init(
    over transport: Transport, configuration: ChatRoom.Configuration = ChatRoom.Configuration(),
    self incarnation: Incarnation, eventLimit: Int = 16_384,
    sleep: @escaping @Sendable (Interval) async -> Void
  ) {
    let (events, continuation) = AsyncStream.makeStream(
      of: RoomEvent.self, bufferingPolicy: .bufferingNewest(eventLimit))
    self.events = events
    self.transport = transport
    self.sleep = sleep
    box = RoomBox(ChatRoom(configuration: configuration, self: incarnation), continuation)
    Task { await self.listen() }
  }

  /// Joins the room under a name; see `ChatRoom.join`.
  public func join(as name: String) async throws(JoinError) {
    try await drive(Joining(name: name)).get()
  }

  /// Says a line; see `ChatRoom.say`.
  @discardableResult
  public func say(_ text: String) async throws(SayError) -> RecordID {
    try await say(Array(text.utf8))
  }

  /// Says a line of any bytes; see `ChatRoom.say`.
  @discardableResult
  public func say(_ text: [UInt8]) async throws(SayError) -> RecordID {
    try await drive(Saying(text: text)).get()
  }

  /// Says goodbye, closes the transport, and returns when it has ended; see `ChatRoom.leave`.
  public func leave() async {
    await drive(Leaving())
    guard !hasEnded else { return }
    await withCheckedContinuation { leaving.append($0) }
  }

  /// Who is here besides ourselves, in the order of their identities.
  public var members: [Member] {
    get async { await drive(Looking()).members }
  }

  /// How many outcomes of what we said are still to come; see `ChatRoom.unacknowledged`.
  public var unacknowledged: Int {
    get async { await drive(Looking()).unacknowledged }
  }

  private func listen() async {
    for await event in transport.events { await drive(Handling(event: event)) }
    hasEnded = true
    box.finish()
    for waiter in leaving { waiter.resume() }
    leaving = []
  }

  /// Does something with the room on the loop thread, and arranges for its next timer.
  @discardableResult
  private func drive<Operation: RoomOperation>(_ operation: Operation) async -> Operation.Output {
    let driven = await transport.perform(Driving(box: box, operation: operation))
    droppedEvents += driven.droppedEvents
    if let deadline = driven.deadline { wake(at: deadline, now: driven.now) }
    return driven.output
  }

  private func wake(at deadline: Instant, now: Instant) {
    if let wakeAt, wakeAt <= deadline { return }
    wakeAt = deadline
    Task {
      await sleep(deadline - now)
      if wakeAt == deadline { wakeAt = nil }
      if !hasEnded { await drive(Waking()) }
    }
  }
}
