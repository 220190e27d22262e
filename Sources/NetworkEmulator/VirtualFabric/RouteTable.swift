import Primitives

/// Where the datagrams of one host to one path go, worked out once for each state of the network.
struct Route {
  /// One receiver, and what it will be told.
  struct Target {
    let host: Int
    /// The place of the link in the network's array.
    let link: Int
    let arrival: Arrival
  }

  let path: Path
  /// The state of the network that the rest is worked out for.
  var topology = -1
  /// The unspecified address where nothing can be sent.
  var source: SocketAddress
  var targets: [Target] = []
  /// Why there are no targets.
  var dropReason: CapturedDatagram.DropReason?

  /// What was sent this way.
  var datagramCount = 0
  var byteCount = 0

  init(path: Path) {
    self.path = path
    source = SocketAddress(ip: .unspecified(path.remote.ip.family), port: 0)
  }

  /// The flow as links number it, by role: groups and each family apart, so that the fates of a
  /// conversation do not depend on how many beacons were sent meanwhile.
  var flow: UInt32 {
    (path.remote.ip.isMulticast ? 1 : 0) | (path.remote.ip.family == .ipv6 ? 2 : 0)
  }
}

extension IPAddress {
  static func unspecified(_ family: Family) -> IPAddress {
    family == .ipv4 ? IPAddress(ipv4: 0) : IPAddress(ipv6High: 0, low: 0)
  }
}

/// The routes of one host. It grows by one entry for each path that the host ever sends to.
struct RouteTable {
  private(set) var routes: [Route] = []
  private var places: [Path: Int] = [:]
  private var lastUsed = 0

  /// The place of the route for `path`, for `subscript`.
  mutating func place(of path: Path) -> Int {
    if lastUsed < routes.count, routes[lastUsed].path == path { return lastUsed }
    if let place = places[path] {
      lastUsed = place
    } else {
      lastUsed = routes.count
      places[path] = lastUsed
      routes.append(Route(path: path))
    }
    return lastUsed
  }

  subscript(place: Int) -> Route {
    get { routes[place] }
    _modify { yield &routes[place] }
  }
}
