import CBenchmarks
import ChatTransport
import Host
import PeerDiscovery
import Primitives
import SocketDriver
import UDPTransport

/// A transport with a loop thread of its own, and the main thread that waits for tasks.
enum Threads {
  /// Runs a task, and blocks this thread, which is none of the tasks', until it has ended.
  @discardableResult
  static func wait<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) -> Result {
    let result = Locked<Result?>(nil)
    Task.detached {
      let value = await body()
      result.withLock { $0 = value }
    }
    while true {
      if let value = result.withLock({ $0 }) { return value }
      pause()
    }
  }

  static func pause() {
    patter_sleep_until(UInt64((SystemClock.now() + .milliseconds(1)).nanoseconds))
  }

  /// Opens a transport that is reached at `address`, or that calls it.
  static func open(
    _ address: SocketAddress, _ settings: PatterSettings, calls: Bool
  ) throws(BenchmarkError) -> UDPTransport {
    do {
      let identity = Identity(high: try SystemRandom.uint64(), low: try SystemRandom.uint64())
      var configuration = UDPConfiguration(
        local: Incarnation(identity: identity, epoch: WallClock.millisecondsSince1970),
        name: "bench", topics: [Topic(hash: 0)])
      configuration.datagram = settings.configuration
      configuration.discovery.isEnabled = false
      // A peer is reached at the port behind the shared one, where that is free; so the one that
      // calls must not take it.
      configuration.discovery.port = calls ? address.port &+ 31 : address.port &- 1
      if calls { configuration.connect = [address] }
      return try UDPTransport(configuration)
    } catch { throw .failed("patter", "\(error)") }
  }
}
