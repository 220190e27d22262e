public import Primitives

extension VirtualNetwork where Machine: ~Copyable {
  /// Gives one direction between two hosts an impairment of its own, or takes it away again. What
  /// is under way keeps its fate.
  ///
  /// - Parameters:
  ///   - impairment: `nil` for the network's own again.
  ///   - segment: only what goes over this segment; `nil` for all. The setting for one segment
  ///     goes before the one for all.
  public func setImpairment(
    _ impairment: Impairment?, from sender: HostID, to receiver: HostID, on segment: Int? = nil
  ) {
    fabric.setImpairment(impairment, from: sender, to: receiver, on: segment)
  }

  /// Gives both directions between two hosts an impairment of their own, or takes it away again.
  public func setImpairment(
    _ impairment: Impairment?, between left: HostID, and right: HostID, on segment: Int? = nil
  ) {
    setImpairment(impairment, from: left, to: right, on: segment)
    setImpairment(impairment, from: right, to: left, on: segment)
  }

  /// Sends a datagram from a host by hand, as another program on it with the same port would.
  public func send(_ datagram: [UInt8], from host: HostID, on path: Path) {
    fabric.send(datagram, from: host, on: path, at: now)
  }

  /// Brings in a datagram from outside, as an attacker does who can forge every address: `host` is
  /// handed it after `delay` with `arrival` just as it stands, and no link touches it.
  public func inject(
    _ datagram: [UInt8], into host: HostID, arrival: Arrival, after delay: Interval = .zero
  ) {
    precondition(delay >= .zero, "a datagram cannot arrive in the past")
    fabric.inject(datagram, into: host, arrival: arrival, at: now, due: now + delay)
  }

  /// What became of all datagrams so far.
  public var statistics: NetworkStatistics { fabric.statistics }

  /// What became of all that one host sent to another, over all segments.
  public func statistics(from sender: HostID, to receiver: HostID) -> LinkStatistics {
    var total = LinkStatistics()
    for link in fabric.links where link.from == sender.number && link.to == receiver.number {
      total += link.model.statistics
    }
    return total
  }

  /// What a host has sent to an address, whatever became of it.
  public func traffic(
    from sender: HostID, to destination: SocketAddress
  ) -> (datagrams: Int, bytes: Int) {
    var total = (datagrams: 0, bytes: 0)
    for route in fabric[sender].routes.routes {
      let remote = route.path.remote
      // The scope is the sender's own name for an interface and no part of where it goes.
      guard remote.ip == destination.ip, remote.port == destination.port else { continue }
      total.datagrams += route.datagramCount
      total.bytes += route.byteCount
    }
    return total
  }

  /// How many datagrams are under way, copies included.
  public var countUnderWay: Int { fabric.underWay.count }
}
