public import ChatTransport
import PeerDiscovery
import Primitives
import SocketDriver

/// A peer on the local network for applications: the asynchronous face, with a loop thread of its
/// own below it.
///
/// Close it, and its peers know that it has left, its sockets are closed and its thread has ended
/// when `close` returns. One that is let go without that is closed in the background, which takes
/// up to `DatagramConfiguration.closeTimeout`.
public final class UDPTransport: AsynchronousTransport {
  public let capabilities: TransportCapabilities
  public let events: TransportEvents

  let outbox: Outbox
  private let loop: EventLoop.Handle
  private let driver: LoopBound<UDPDriver<EventForwarder>>
  /// Kept by the loop's thread with the last thing it does.
  private let ending: Promise<UDPDriverStatistics>

  /// Opens the sockets and starts the loop thread.
  public init(_ configuration: UDPConfiguration) throws(UDPOpenError) {
    let loop: EventLoop
    do throws(SystemError) { loop = try EventLoop() } catch { throw .system(error) }
    let handle = loop.handle
    let events = TransportEvents { handle.submit {} }
    let outbox = Outbox(limit: configuration.outboxLimit, loop: handle)
    let driver = try UDPDriver(
      configuration,
      application: EventForwarder(
        events: events, outbox: OutboxReader(outbox), loop: handle), loop: loop)
    let capabilities = driver.peer.capabilities
    let bound = LoopBound(driver, on: handle)
    let ending = Promise<UDPDriverStatistics>()
    do throws(SystemError) {
      try bound.startThread(name: "patter-udp") { driver in
        driver.run()
        outbox.end()
        events.end()
        ending.fulfil(driver.statistics)
      }
    } catch { throw .system(error) }
    self.capabilities = capabilities
    self.events = events
    self.outbox = outbox
    self.loop = handle
    self.driver = bound
    self.ending = ending
  }

  deinit { beginClosing() }

  public func perform<Operation: TransportOperation>(
    _ operation: Operation
  ) async -> Operation.Output {
    await withCheckedContinuation { continuation in
      let isAccepted = loop.submit { [driver] in
        let output = driver.withValue { driver in
          driver.perform { _, peer, now in operation(over: &peer, at: now) }
        }
        continuation.resume(returning: output)
      }
      guard !isAccepted else { return }
      var ended = EndedTransport(capabilities: capabilities)
      continuation.resume(returning: operation(over: &ended, at: SystemClock.now()))
    }
  }

  /// Ends all connections in an orderly way, and returns when that is done, the sockets are closed
  /// and `closed` waits for its reader, behind whatever else was not read.
  public func close() async {
    beginClosing()
    _ = await ending.value
  }

  /// What the driver and its sockets have done; after the end, what they had done then.
  public var driverStatistics: UDPDriverStatistics {
    get async {
      let current: UDPDriverStatistics? = await withCheckedContinuation { continuation in
        let isAccepted = loop.submit { [driver] in
          continuation.resume(returning: driver.withValue { $0.statistics })
        }
        if !isAccepted { continuation.resume(returning: nil) }
      }
      if let current { return current }
      return await ending.value
    }
  }

  private func beginClosing() {
    loop.submit { [driver] in
      driver.withValue { driver in
        driver.perform { forwarder, peer, now in
          forwarder.isClosing = true
          forwarder.outbox.drain(into: &peer, at: now)
          peer.close(at: now)
        }
      }
    }
  }
}
