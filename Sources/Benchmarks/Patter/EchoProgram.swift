import ChatTransport
public import Primitives
import Workloads

/// One end of a conversation over the datagram protocol, in which a message goes there and back.
public struct EchoProgram: Hashable, Sendable {
  public var address: SocketAddress
  public var size: Int
  /// How many round trips are measured.
  public var roundTrips: Int
  public var face: PairCase.Face
  public var settings: PatterSettings

  public init(
    address: SocketAddress, size: Int, roundTrips: Int, face: PairCase.Face,
    settings: PatterSettings
  ) {
    self.address = address
    self.size = size
    self.roundTrips = roundTrips
    self.face = face
    self.settings = settings
  }

  public func serve() throws(BenchmarkError) -> String {
    Processor.pin(1)
    guard face != .asynchronous else {
      try ThreadedEcho.serve(self)
      return ProcessUsage.line(role: "server")
    }
    _ = try PatterRun.serve(EchoServer(), at: address, settings) { server, _ in server.isOver }
    return ProcessUsage.line(role: "server")
  }

  public func dial() throws(BenchmarkError) -> String {
    Processor.pin(0)
    guard face != .asynchronous else { return EchoReport(try ThreadedEcho.dial(self)).line }
    let client = EchoClient(size: size, count: roundTrips, options: settings.options)
    let clients = try PatterRun.dial([client], to: address, settings) { client, _ in
      client.isOver
    }
    if let failure = clients[0].failure {
      throw .failed("echo-client", "the connection ended: \(failure.rawValue)")
    }
    return EchoReport(clients[0].roundTrips).line
  }
}
