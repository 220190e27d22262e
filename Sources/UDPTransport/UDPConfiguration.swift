public import ChatTransport
public import DatagramPeer
public import NetworkEmulator
public import PeerDiscovery
public import Primitives

/// What a peer on the local network is made of.
public struct UDPConfiguration: Sendable {
  /// Who we are.
  public var local: Incarnation
  /// What we call ourselves in beacons, at most 64 bytes; others only show it.
  public var name: String
  /// What we have in common with those we want to find.
  public var topics: Set<Topic>
  public var datagram = DatagramConfiguration()
  public var discovery = DiscoveryConfiguration()
  /// Addresses to call, besides what discovery finds.
  public var connect: [SocketAddress] = []
  /// How the sockets are opened, and how the loop waits for them.
  public var sockets = UDPSocketOptions()
  /// Bytes of messages that wait for the loop thread in the outbox; see `UDPTransport.send(_:to:)`.
  public var outboxLimit = 1 << 20
  /// What happens to datagrams between this program and its sockets, for experiments.
  public var impairment = ImpairmentSetting.none

  public init(local: Incarnation, name: String, topics: Set<Topic>) {
    self.local = local
    self.name = name
    self.topics = topics
  }
}

/// Why a peer could not be opened. Each is one line that says what is wrong and what to do.
public enum UDPOpenError: Error, Hashable, Sendable {
  /// Another program has the port for itself.
  case portTaken(UInt16)
  /// The user named an interface that is not there.
  case noSuchInterface(String, known: [String])
  /// Anything else the system said.
  case system(SystemError)
}

extension UDPOpenError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .portTaken(let port):
      "UDP port \(port) is taken by another program; choose one with --port"
    case .noSuchInterface(let name, let known):
      "there is no interface \"\(name)\"; there are: \(known.joined(separator: ", "))"
    case .system(let error): "the network cannot be used: \(error)"
    }
  }
}
