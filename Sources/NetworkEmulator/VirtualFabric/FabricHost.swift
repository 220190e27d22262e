import Primitives

/// What the fabric knows of one host.
struct FabricHost {
  let id: HostID
  var configuration: HostConfiguration
  /// The number of each attachment in the whole network, by which its links are named.
  let attachmentNumbers: [Int]
  /// On which side of partitions it is.
  var side = 0
  /// Datagrams with more bytes vanish on the way to it or from it; `nil` where none do.
  var largestPassing: Int?
  var routes = RouteTable()

  func hears(_ port: UInt16) -> Bool {
    port == configuration.port || configuration.groups.contains { $0.port == port }
  }

  func hasJoined(_ group: SocketAddress) -> Bool {
    configuration.groups.contains { $0.ip == group.ip && $0.port == group.port }
  }

  func isUp(_ interface: UInt32) -> Bool {
    configuration.attachments.contains { $0.interface.index == interface && $0.interface.isUp }
  }
}
