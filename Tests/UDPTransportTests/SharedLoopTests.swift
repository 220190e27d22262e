import ChatTransport
import Primitives
import SocketDriver
import Testing
import UDPTransport

extension UDPTransportTests {
  /// The synchronous face over real sockets, on a thread of the test's own.
  @Suite struct SharedLoop {
    @Test func twoDriversTalkOnOneLoop() async throws {
      let place = try Place()
      let configurations = [try place.configuration(), try place.configuration()]
      let outcome = try await withCheckedThrowingContinuation { continuation in
        do {
          try EventLoop.startThread(name: "shared") {
            continuation.resume(with: Result { try Self.talk(configurations) })
          }
        } catch {
          continuation.resume(throwing: error)
        }
      }
      #expect(outcome.answers == (0..<100).map { [UInt8($0)] })
      #expect(outcome.hasEnded)
    }

    private static func talk(_ configurations: [UDPConfiguration]) throws -> Caller.Outcome {
      let loop = try EventLoop()
      let handle = loop.handle
      let echo = try UDPDriver(configurations[0], application: Echo(), loop: loop)
      let caller = try UDPDriver(
        configurations[1], application: Caller(limit: loop.now + Interval(patience)), loop: loop)
      loop.run { now in
        let deadline = Instant.earlier(echo.wake(at: now), caller.wake(at: now))
        let haveEnded = caller.application.hasEnded && echo.application.hasEnded
        if haveEnded || now >= caller.application.limit { handle.stop() }
        return deadline
      }
      return Caller.Outcome(
        answers: caller.application.answers,
        hasEnded: echo.application.hasEnded && caller.application.hasEnded)
    }
  }
}

/// Sends everything back to where it came from, and ends when its peer has left.
private struct Echo: TransportApplication {
  private(set) var hasEnded = false

  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while let event = transport.nextEvent() {
      switch event {
      case .message(let message):
        let options = SendOptions(channel: message.channel, delivery: message.delivery)
        do {
          _ = try transport.send(message.payload.span, to: .peer(message.peer), options, at: now)
        } catch {
          Issue.record(error)
        }
      case .peerLeft: transport.close(at: now)
      case .closed: hasEnded = true
      default: break
      }
    }
  }

  var deadline: Instant? { nil }
}

/// Says a hundred things, and leaves when all have come back.
private struct Caller: TransportApplication {
  struct Outcome: Sendable {
    var answers: [[UInt8]]
    var hasEnded: Bool
  }

  let limit: Instant
  private(set) var answers: [[UInt8]] = []
  private(set) var hasEnded = false

  init(limit: Instant) {
    self.limit = limit
  }

  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while let event = transport.nextEvent() {
      switch event {
      case .peerJoined(let peer, _):
        for number in 0..<100 {
          do {
            _ = try transport.send(
              [UInt8(number)].span, to: .peer(peer), SendOptions(), at: now)
          } catch {
            Issue.record(error)
          }
        }
      case .message(let message):
        answers.append(message.payload)
        if answers.count == 100 { transport.close(at: now) }
      case .closed: hasEnded = true
      default: break
      }
    }
  }

  var deadline: Instant? { limit }
}
