import Glibc
import Primitives
import SocketDriver
import Testing

/// Addresses and helpers of tests that use real sockets on the loopback interface.
enum Loopback {
  static let ipv4 = IPAddress(127, 0, 0, 1)
  static let ipv6 = IPAddress(ipv6High: 0, low: 1)
  /// A group of the local scope (RFC 2365).
  static let group = IPAddress(239, 255, 80, 84)

  static func address(_ family: IPAddress.Family) -> IPAddress {
    family == .ipv4 ? ipv4 : ipv6
  }

  static func interface() throws -> NetworkInterface {
    try #require(try NetworkInterfaces.current().first { $0.isLoopback && $0.isUp })
  }

  static func socket(_ family: IPAddress.Family = .ipv4) throws -> UDPSocket {
    try UDPSocket(UDPSocketConfiguration(family: family, address: address(family)))
  }

  /// A port of the loopback interface on which nobody listens: it was just given back.
  static func deadPort() throws -> UInt16 {
    try socket().localPort
  }
}

/// A received datagram, kept.
struct Received: Equatable {
  var bytes: [UInt8]
  var arrival: Arrival
}

/// How long a test waits for what has to come, in milliseconds.
let patience: Int32 = 10_000

/// Waits until there is something to read, or records that nothing came.
func waitUntilReadable(_ descriptor: Int32, location: SourceLocation = #_sourceLocation) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  let isReady = poll(&request, 1, patience) == 1
  if !isReady { Issue.record("nothing came within \(patience) ms", sourceLocation: location) }
  return isReady
}

extension UDPSocket {
  /// Sends datagrams to `target` at once.
  @discardableResult
  func send(_ datagrams: [[UInt8]], to target: SocketAddress) -> FlushResult {
    for bytes in datagrams { append(bytes.span, to: Path(remote: target)) }
    return flush()
  }

  /// Waits until `count` datagrams have come, or records that they did not.
  func receive(
    count: Int, location: SourceLocation = #_sourceLocation
  ) throws -> [Received] {
    var result: [Received] = []
    while result.count < count, waitUntilReadable(fileDescriptor, location: location) {
      _ = try receive { span, arrival in
        let bytes = [UInt8](capacity: span.count) { (output: inout OutputSpan<UInt8>) in
          output.append(contentsOf: span)
        }
        result.append(Received(bytes: bytes, arrival: arrival))
      }
    }
    return result
  }
}
