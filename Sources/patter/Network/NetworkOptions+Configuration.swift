import ChatRoom
import ChatTransport
import NetworkEmulator
import PeerDiscovery
import Primitives
import SocketDriver
import UDPTransport

extension NetworkOptions {
  /// What these options mean for a peer, once names have been looked up.
  func configuration(
    local: Incarnation, name: String
  ) throws(UsageError) -> UDPConfiguration {
    let topic = Topic(hash: RoomHash(of: room).rawValue)
    var configuration = UDPConfiguration(local: local, name: name, topics: [topic])
    configuration.discovery.port = port
    configuration.discovery.interfaceNames = interfaces
    for group in groups {
      switch group.family {
      case .ipv4: configuration.discovery.ipv4Group = group
      case .ipv6: configuration.discovery.ipv6Group = group
      }
    }
    for text in connect { configuration.connect += try addresses(of: text) }
    return configuration
  }

  /// Without a port those are called that the first peers on a host have.
  private static let defaultTargetPorts = 4

  private func addresses(of text: String) throws(UsageError) -> [SocketAddress] {
    let target: HostAndPort
    do throws(HostAndPortError) {
      target = try HostAndPort(text)
    } catch {
      throw .unusableValue(name: "--connect", value: text, reason: "\(error)")
    }
    let ports =
      target.port.map { [$0] }
      ?? Array(LANDefaults.unicastPorts(behind: port).prefix(Self.defaultTargetPorts))
    var found: [SocketAddress] = []
    do throws(ResolveError) {
      for port in ports { found += try AddressResolver.resolve(host: target.host, port: port) }
    } catch {
      throw .unusableValue(name: "--connect", value: text, reason: "\(error)")
    }
    guard found.allSatisfy({ !$0.ip.isMulticast && !$0.ip.isUnspecified }) else {
      throw .unusableValue(
        name: "--connect", value: text, reason: "that is not the address of one host")
    }
    return found
  }
}

extension ImpairmentSetting {
  /// What `--impair` asks for.
  init(option text: String) throws(UsageError) {
    do throws(ImpairmentSyntaxError) {
      self = try ImpairmentSetting(parsing: text)
    } catch {
      throw .unusableValue(name: "--impair", value: text, reason: "\(error)")
    }
  }
}
