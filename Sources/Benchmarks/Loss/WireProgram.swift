public import KernelWire
import NetworkEmulator
public import Primitives
import Workloads

/// Two programs with a wire between them, in networks of their own.
public struct WireProgram: Hashable, Sendable {
  public var configuration: WireConfiguration
  /// Runs at the second address; the wire ends with it.
  public var server: [String]
  public var client: [String]
  public var limit: Interval

  public init(
    configuration: WireConfiguration, server: [String], client: [String], limit: Interval
  ) {
    self.configuration = configuration
    self.server = server
    self.client = client
    self.limit = limit
  }

  /// Runs them to the end of the server, and returns its exit code with the line that tells what
  /// passed the wire; the code is `nil` where it ran out of time.
  public func run() throws(WireError) -> (code: Int32?, line: String) {
    let wire = try KernelWire(configuration)
    do throws(SystemError) {
      try wire.start(server, at: 1)
      try wire.start(client, at: 0)
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
    line += ",\"queue_drops\":\(statistics.queueDrops),\"refused\":\(statistics.refusals)"
    line += ",\"late_p50_us\":\(microseconds(50)),\"late_p99_us\":\(microseconds(99))"
    return line + ",\"late_max_us\":\(microseconds(100))}"
  }
}
