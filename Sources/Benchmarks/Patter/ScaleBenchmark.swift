import CBenchmarks
import ChatTransport
import DatagramPeer
import Primitives
import SocketDriver

/// What one endpoint with many idle connections costs: memory, and time where one of them is used.
public struct ScaleFigure: Hashable, Sendable {
  public var connections: Int
  /// Resident memory of a connection, in bytes.
  public var bytesPerConnection: Double
  /// The time of one message there and its acknowledgement back, both machines together, in
  /// nanoseconds: while there is one connection, and while there are all.
  public var timeWithOne: Double
  public var timeWithAll: Double
}

/// Connects one endpoint to many others, without sockets: the machine alone is measured.
public enum ScaleBenchmark {
  public static func run(
    connections: Int, messages: Int, progress: (String) -> Void
  ) throws(BenchmarkError) -> ScaleFigure {
    var lab = ScaleLab(maximumConnections: connections + 1)
    var active = lab.makeEndpoint(0)
    guard lab.connect(&active, number: 0) else {
      throw .failed("scale", "the first connection does not come to be")
    }
    progress("one connection")
    let one = try lab.time(messages, over: &active)
    let before = ProcessMemory.resident
    for number in 1...connections {
      if number % 1_000 == 0 { progress("\(number) connections") }
      var other = lab.makeEndpoint(number)
      guard lab.connect(&other, number: number) else {
        throw .failed("scale", "connection \(number) does not come to be")
      }
    }
    let grown = Double(ProcessMemory.resident - before)
    progress("\(connections) connections")
    return ScaleFigure(
      connections: connections, bytesPerConnection: grown / Double(connections),
      timeWithOne: one, timeWithAll: try lab.time(messages, over: &active))
  }
}

/// One endpoint in the middle, and others that call it.
private struct ScaleLab: ~Copyable {
  private var middle: DatagramEndpoint
  private var buffer: [UInt8] = []
  /// Time stands still but for what the machines need, so that idle connections stay idle.
  private var now = Instant.zero + .seconds(1)
  private static let middleAddress = SocketAddress(ip: IPAddress(10, 0, 0, 1), port: 1)

  init(maximumConnections: Int) {
    var configuration = DatagramConfiguration()
    configuration.maximumConnections = maximumConnections
    middle = DatagramEndpoint(
      configuration: configuration,
      local: Incarnation(identity: Identity(high: 1, low: 1), epoch: 1), secret: Secret(1, 2))
  }

  func makeEndpoint(_ number: Int) -> DatagramEndpoint {
    DatagramEndpoint(
      configuration: DatagramConfiguration(),
      local: Incarnation(identity: Identity(high: 2, low: UInt64(number)), epoch: 1),
      secret: Secret(3, UInt64(number)))
  }

  /// Returns whether there is a connection.
  mutating func connect(_ other: inout DatagramEndpoint, number: Int) -> Bool {
    other.connect(to: Path(remote: Self.middleAddress), at: now)
    for _ in 0..<10 {
      exchange(&other, number: number)
      while middle.nextEvent() != nil {}
      while let event = other.nextEvent() {
        if case .peerJoined = event {
          exchange(&other, number: number)
          while middle.nextEvent() != nil {}
          return true
        }
      }
      now = now + .microseconds(10)
    }
    return false
  }

  /// The time of a message and its acknowledgement, in nanoseconds.
  mutating func time(
    _ messages: Int, over other: inout DatagramEndpoint
  ) throws(BenchmarkError) -> Double {
    let payload = [UInt8](repeating: 1, count: 64)
    let start = SystemClock.now()
    for _ in 0..<messages {
      do throws(SendError) {
        _ = try other.send(payload.span, to: .everyone, SendOptions(), at: now)
      } catch { throw .failed("scale", "\(error)") }
      exchange(&other, number: 0)
      now = now + .microseconds(1)
      // Acknowledgements may wait a moment.
      middle.advance(to: now)
      exchange(&other, number: 0)
      other.advance(to: now)
      while middle.nextEvent() != nil {}
      while other.nextEvent() != nil {}
    }
    return Double((SystemClock.now() - start).nanoseconds) / Double(max(1, messages))
  }

  /// Moves datagrams until there are none.
  private mutating func exchange(_ other: inout DatagramEndpoint, number: Int) {
    let address = SocketAddress(
      ip: IPAddress(ipv6High: 0xFD00 << 48, low: UInt64(number) + 1), port: 1)
    for _ in 0..<20 {
      let sent = Self.move(from: &other, to: &middle, as: address, &buffer, now)
      let answered = Self.move(from: &middle, to: &other, as: Self.middleAddress, &buffer, now)
      if !sent, !answered { return }
    }
  }

  private static func move(
    from sender: inout DatagramEndpoint, to receiver: inout DatagramEndpoint,
    as address: SocketAddress, _ buffer: inout [UInt8], _ now: Instant
  ) -> Bool {
    var hasMoved = false
    while true {
      buffer.removeAll(keepingCapacity: true)
      var transmit: Transmit?
      buffer.append(addingCapacity: 65_536) { (output: inout OutputSpan<UInt8>) in
        transmit = sender.nextTransmit(into: &output, at: now)
      }
      guard let transmit else { return hasMoved }
      hasMoved = true
      let size = max(1, transmit.segmentSize ?? buffer.count)
      for start in stride(from: 0, to: buffer.count, by: size) {
        let datagram = buffer.span.extracting(start..<min(start + size, buffer.count))
        receiver.receive(datagram, arrival: Arrival(path: Path(remote: address)), at: now)
      }
    }
  }
}
