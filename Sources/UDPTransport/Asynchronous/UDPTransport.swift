public import ChatTransport
import PeerDiscovery
import Primitives
import SocketDriver

/// A peer on the local network for applications: the asynchronous face, with a loop thread of its
/// own below it.
public final class UDPTransport: AsynchronousTransport {
  public let capabilities: TransportCapabilities
  public let events: TransportEvents

  private let loop: EventLoop.Handle
  private let driver: LoopBound<UDPDriver<EventForwarder>>

  /// Opens the sockets and starts the loop thread.
  public init(_ configuration: UDPConfiguration) throws(UDPOpenError) {
    let loop: EventLoop
    do throws(SystemError) { loop = try EventLoop() } catch { throw .system(error) }
    events = TransportEvents()
    let driver = try UDPDriver(
      configuration, application: EventForwarder(events: events, loop: loop.handle), loop: loop)
    capabilities = driver.peer.capabilities
    self.loop = loop.handle
    self.driver = LoopBound(driver, on: self.loop)
    do throws(SystemError) {
      try self.driver.startThread(name: "patter-udp") { $0.run() }
    } catch { throw .system(error) }
  }

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

  public func close() async {
    await perform(Closing())
    await withCheckedContinuation { continuation in
      let isAccepted = loop.submit { [driver] in
        driver.withValue { $0.application.whenClosed { continuation.resume() } }
      }
      if !isAccepted { continuation.resume() }
    }
  }
}
