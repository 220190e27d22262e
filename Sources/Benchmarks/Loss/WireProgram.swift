public import KernelWire
import NetworkEmulator
public import Primitives
import Workloads

/// Programs with a wire between them: servers in a network of their own, and clients in another.
public struct WireProgram: Hashable, Sendable {
  public var configuration: WireConfiguration
  /// A program at the second address and one at the first.
  public struct Pair: Hashable, Sendable {
    public var server: [String]
    public var client: [String]

    public init(server: [String], client: [String]) {
      self.server = server
      self.client = client
    }
  }

  public var pairs: [Pair]
  public var limit: Interval

  public init(
    configuration: WireConfiguration, pairs: [Pair], limit: Interval
  ) {
    self.configuration = configuration
    self.pairs = pairs
    self.limit = limit
  }

  /// Runs them until all servers have ended, and returns the worst of their exit codes with the
  /// line that tells what passed the wire; the code is `nil` where they ran out of time.
  public func run() throws(WireError) -> (code: Int32?, line: String) {
    let wire = try KernelWire(configuration)
    do throws(SystemError) {
      for pair in pairs {
        try wire.start(pair.server, at: 1, isAwaited: true)
        try wire.start(pair.client, at: 0, isAwaited: false)
      }
    } catch { throw .system(error) }
    let code = wire.run(limit: limit)
    return (code, Self.line(wire.statistics))
  }

  private static func line(_ statistics: WireStatistics) -> String {
    var lateness = Samples(statistics.lateness)
    func microseconds(_ percent: Double) -> String {
      fixedPoint((lateness.percentile(percent) ?? 0) / 1e3, places: 0)
    }
    let links = statistics.links
    var line = "{\"role\":\"wire\",\"packets\":\(links.offered),\"bytes\":\(links.offeredBytes)"
    line += ",\"lost\":\(links.lost),\"overflowed\":\(links.overflowed)"
    line += ",\"queue_full\":\(links.queueDropped)"
    line += ",\"queue_drops\":\(statistics.queueDrops),\"refused\":\(statistics.refusals)"
    line += ",\"late_p50_us\":\(microseconds(50)),\"late_p99_us\":\(microseconds(99))"
    return line + ",\"late_max_us\":\(microseconds(100))}"
  }
}
