import ChatTransport
import PeerDiscovery
import Primitives
import SocketDriver
import UDPTransport

/// Where the peers of one test meet: a port and a topic of their own, so that neither another run
/// of these tests nor the program itself meets them.
struct Place {
  let port: UInt16
  let topic: Topic

  init() throws {
    topic = Topic(hash: try SystemRandom.uint64())
    var port: UInt16
    repeat {
      // Below the system's own choices, with room for the ports behind it.
      port = 20_000 + UInt16(try SystemRandom.uint64() % 400) * 20
    } while (0...17).contains { !Loopback.isFree(port + $0) }
    self.port = port
  }

  func configuration(name: String = "", topic: Topic? = nil) throws -> UDPConfiguration {
    let local = Incarnation(
      identity: Identity(high: try SystemRandom.uint64(), low: try SystemRandom.uint64()), epoch: 1)
    var configuration = UDPConfiguration(local: local, name: name, topics: [topic ?? self.topic])
    configuration.discovery.port = port
    configuration.discovery.ipv4Group = Loopback.group
    configuration.discovery.interfaceNames = ["lo"]
    return configuration
  }
}

enum Loopback {
  static let group = IPAddress(239, 255, 80, 99)
  static let ipv4 = IPAddress(127, 0, 0, 1)

  static func address(_ port: UInt16) -> SocketAddress { SocketAddress(ip: ipv4, port: port) }

  /// Whether nobody has the port, nor shares it.
  static func isFree(_ port: UInt16) -> Bool {
    let socket = try? UDPSocket(UDPSocketConfiguration(family: .ipv4, port: port))
    return socket != nil
  }
}
