import ChatRoom
import ChatTransport
import Host
import Primitives
import SocketDriver

/// What runs above the transport in `patter chat`: the room, and what is printed of it.
struct ChatProgram: TransportApplication {
  var room: ChatRoom
  let presenter: any ChatPresenter
  private(set) var exitCode = ExitCode.done
  /// Whether a signal has ended it.
  private(set) var wasInterrupted = false

  private enum Phase {
    case talking
    /// The input has ended; what is under way has until then to be acknowledged.
    case finishing(until: Instant)
    case leaving
    case ended
  }

  private let input: ChatInput
  private let output: Output
  private let loop: EventLoop.Handle
  private let startedAt: Instant
  private var phase = Phase.talking
  private var hasSpoken = false
  private var early: EarlyLines
  private var hasBeenHeard = false
  private var hasToldOfSilence = false
  /// Whether somebody answered who speaks another version of the protocol.
  private var hasHeardOtherVersion = false
  private var peersUnderPressure: Set<PeerID> = []

  /// How long others have to be found when lines were said at once after the start.
  private static let settlingTime = Interval.milliseconds(1_500)
  /// How long the end of the input waits for acknowledgements.
  private static let patience = Interval.seconds(2)
  /// Lines under way, one for each member, at which no more input is read.
  private static let lineLimit = 1_000

  init(
    room: ChatRoom, presenter: any ChatPresenter, input: ChatInput, output: Output,
    loop: EventLoop.Handle, startedAt: Instant
  ) {
    self.room = room
    self.input = input
    self.presenter = presenter
    self.output = output
    self.loop = loop
    self.startedAt = startedAt
    early = EarlyLines(
      until: startedAt + Self.settlingTime, lineLimit: room.configuration.recentLineLimit,
      byteLimit: room.configuration.recentByteLimit)
  }

  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while isReadingEvents, let event = transport.nextEvent() {
      note(event)
      room.handle(event, over: &transport, at: now)
    }
    room.advance(over: &transport, at: now)
    var events: [RoomEvent] = []
    while let event = room.nextEvent() {
      if case .closed = event { end() }
      events.append(event)
    }
    output.write(presenter.lines(for: events))
    // Nobody reads any more: there is no point in staying.
    if output.state == .gone { leave(over: &transport, at: now) }
    takeInput(over: &transport, at: now)
    finishIfDone(over: &transport, at: now)
  }

  var deadline: Instant? {
    guard case .finishing(let limit) = phase else {
      return Instant.earlier(room.deadline, early.deadline)
    }
    let settled = startedAt + Self.settlingTime
    return Instant.earlier(room.deadline, hasSpoken && room.isQuiet ? min(limit, settled) : limit)
  }

  // MARK: What the user does

  /// Says what was typed, as long as the network keeps up with it.
  private mutating func takeInput<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while hasRoomForInput(at: now) {
      guard let line = input.next() else {
        if input.hasEnded { finish(at: now) }
        break
      }
      switch line {
      case .line(let text): say(text, over: &transport, at: now)
      case .tooLong(let limit): refuse("a line was not sent: it is longer than \(limit) bytes")
      }
    }
    input.setWanted(hasRoomForInput(at: now))
  }

  /// Without an input there is nothing more to say, whatever the reason.
  private mutating func finish(at now: Instant) {
    phase = .finishing(until: now + Self.patience)
    guard let failure = input.failure else { return }
    exitCode = .internalError
    let message = "standard input cannot be read: \(failure.reason)"
    output.write(presenter.lines(error: ChatError(kind: .internal, message: message)))
  }

  /// Whether what the others say is read: while the reader of our output is slow, they are held up
  /// in turn, and the connections stay.
  private var isReadingEvents: Bool {
    switch phase {
    case .talking: output.state != .waiting
    case .finishing, .leaving, .ended: true
    }
  }

  private mutating func hasRoomForInput(at now: Instant) -> Bool {
    guard case .talking = phase else { return false }
    return early.hasRoom(at: now) && peersUnderPressure.isEmpty
      && room.unacknowledged < Self.lineLimit
  }

  private mutating func say<Transport: SynchronousTransport & ~Copyable>(
    _ text: [UInt8], over transport: inout Transport, at now: Instant
  ) {
    do throws(SayError) {
      _ = try room.say(text, over: &transport, at: now)
      hasSpoken = true
      early.note(text)
    } catch {
      refuse("a line was not sent: \(error)")
    }
  }

  /// Tells of a line that is not sent; the next ones are.
  private mutating func refuse(_ reason: String) {
    exitCode = .refused
    output.write(presenter.lines(error: ChatError(kind: .refused, message: reason)))
  }

  /// A signal has come: leave; and where we are leaving already, end.
  mutating func interrupt<Transport: SynchronousTransport & ~Copyable>(
    _ code: ExitCode, _ transport: inout Transport, at now: Instant
  ) {
    exitCode = code
    wasInterrupted = true
    if case .leaving = phase { return end() }
    leave(over: &transport, at: now)
  }

  // MARK: The end

  private mutating func note(_ event: TransportEvent) {
    switch event {
    case .pressure(let peer): peersUnderPressure.insert(peer)
    case .relief(let peer), .peerLeft(let peer, _): peersUnderPressure.remove(peer)
    case .peerJoined: hasBeenHeard = true
    case .waiting: tellIfNobodyAnswers()
    case .incompatible(let found):
      hasHeardOtherVersion = true
      output.write(presenter.lines(error: .incompatible(found)))
    default: break
    }
  }

  private mutating func finishIfDone<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    guard case .finishing(let limit) = phase else { return }
    let hasSettled = !hasSpoken || now >= startedAt + Self.settlingTime
    if room.isQuiet, hasSettled {
      tellIfUnheard()
      leave(over: &transport, at: now)
    } else if now >= limit {
      if !room.isQuiet {
        exitCode = .notAcknowledged
        output.write(presenter.lines(error: .unacknowledged(count: room.unacknowledged)))
      }
      leave(over: &transport, at: now)
      // Who has not answered for so long will not answer a farewell either.
      room.leave(over: &transport, at: now)
    }
  }

  /// Says once that the addresses of `--connect` are silent; they are called again all the same.
  private mutating func tellIfNobodyAnswers() {
    guard !hasBeenHeard, !hasHeardOtherVersion, !hasToldOfSilence else { return }
    hasToldOfSilence = true
    output.write([.error("* Nobody answers at the address of --connect yet; still trying")])
  }

  private mutating func tellIfUnheard() {
    guard hasSpoken, !hasBeenHeard else { return }
    if hasHeardOtherVersion, exitCode == .done { exitCode = .noPeer }
    output.write(
      presenter.lines(
        error: ChatError(kind: .undelivered, message: "nobody was here to hear what was said")))
  }

  private mutating func leave<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    switch phase {
    case .talking, .finishing: break
    case .leaving, .ended: return
    }
    phase = .leaving
    room.leave(over: &transport, at: now)
  }

  private mutating func end() {
    phase = .ended
    loop.stop()
  }
}
