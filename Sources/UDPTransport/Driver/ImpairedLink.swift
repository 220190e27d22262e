import NetworkEmulator
import Primitives

/// The emulated link in front of the real sockets: a datagram goes in, and comes out late, twice,
/// or never.
struct ImpairedLink<Parcel> {
  private var link: EmulatedLink<Parcel>
  /// A flow is named by its role: the first address that was spoken to is 1, and so on, so that
  /// the same seed means the same fates whatever ports there are. All multicast is flow 0.
  private var flows: [SocketAddress: UInt32] = [:]

  /// Addresses beyond this many share one flow.
  private static var flowLimit: Int { 1_024 }

  init(_ link: EmulatedLink<Parcel>) {
    self.link = link
  }

  mutating func offer(_ parcel: Parcel, size: Int, peer: SocketAddress, at now: Instant) {
    link.offer(parcel, size: size, flow: flow(of: peer), at: now)
  }

  mutating func nextDue(at now: Instant) -> Parcel? { link.nextDue(at: now) }

  var deadline: Instant? { link.deadline }

  var statistics: LinkStatistics { link.statistics }

  private mutating func flow(of peer: SocketAddress) -> UInt32 {
    if peer.ip.isMulticast { return 0 }
    if let flow = flows[peer] { return flow }
    guard flows.count < Self.flowLimit else { return UInt32(Self.flowLimit) }
    let flow = UInt32(flows.count + 1)
    flows[peer] = flow
    return flow
  }
}
