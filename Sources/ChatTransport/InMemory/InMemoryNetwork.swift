public import Primitives

/// A network in memory, for tests of what stands above a transport: endpoints join it, are
/// connected with one another, and hand messages over at once.
///
/// It has no time of its own and draws nothing at random: what is lost or held back is what the
/// test said. A message stays in the queue of its sender until the receiver has pulled it; only
/// then is it acknowledged, so that a slow reader is felt as one.
///
/// Not for use from several tasks; for those there is `InMemoryLoop`.
public final class InMemoryNetwork {
  var endpoints: [InMemoryEndpoint] = []

  public init() {}

  /// Adds an endpoint, and connects it with every one that is there unless `isConnected` is false.
  ///
  /// - Parameters:
  ///   - incarnation: what `PeerInformation` tells the others; `nil` as over a bare TCP.
  ///   - path: where the others are told that it is.
  public func join(
    as incarnation: Incarnation? = nil, path: Path? = nil,
    capabilities: TransportCapabilities = .everything,
    limits: InMemoryQueueLimits = InMemoryQueueLimits(), isConnected: Bool = true
  ) -> InMemoryTransport {
    endpoints.append(
      InMemoryEndpoint(
        information: PeerInformation(incarnation: incarnation, path: path),
        capabilities: capabilities, limits: limits))
    let newcomer = InMemoryTransport(network: self, index: endpoints.count - 1)
    guard isConnected else { return newcomer }
    for index in 0..<newcomer.index {
      connect(InMemoryTransport(network: self, index: index), newcomer)
    }
    return newcomer
  }

  /// Connects two endpoints: each joins the other as a new peer. Changes nothing where one of them
  /// is closed or they are connected already.
  public func connect(_ first: InMemoryTransport, _ second: InMemoryTransport) {
    let (a, b) = (first.index, second.index)
    guard a != b, !endpoints[a].isClosed, !endpoints[b].isClosed,
      endpoints[a].link(to: b) == nil
    else { return }
    let bySecond = endpoints[b].newPeerID()
    let byFirst = endpoints[a].newPeerID()
    endpoints[a].links.append(InMemoryLink(peer: byFirst, remote: b, nameThere: bySecond))
    endpoints[b].links.append(InMemoryLink(peer: bySecond, remote: a, nameThere: byFirst))
    endpoints[a].tell(.peerJoined(byFirst, endpoints[b].information))
    endpoints[b].tell(.peerJoined(bySecond, endpoints[a].information))
  }

  /// Ends the connection between two endpoints without a word from either, as a cable that is
  /// pulled. What was held back is gone.
  public func sever(
    _ first: InMemoryTransport, _ second: InMemoryTransport, reason: LeaveReason = .timedOut
  ) {
    disconnect(first.index, second.index, reasonHere: reason, reasonThere: reason)
  }

  /// Ends an endpoint as a network that cannot be used any more would.
  public func fail(_ transport: InMemoryTransport, _ words: String) {
    close(transport.index, .failed(words), reasonHere: .timedOut, reasonThere: .timedOut)
  }

  /// Keeps back whatever `sender` sends to `receiver` from now on, until `release`.
  public func hold(from sender: InMemoryTransport, to receiver: InMemoryTransport) {
    guard let link = endpoints[sender.index].link(to: receiver.index) else { return }
    endpoints[sender.index].links[link].isHeld = true
  }

  /// Hands over what was kept back: all of it, and what is sent later at once; or the next `count`
  /// messages, and keeps back the others.
  public func release(
    from sender: InMemoryTransport, to receiver: InMemoryTransport, next count: Int? = nil
  ) {
    guard let link = endpoints[sender.index].link(to: receiver.index) else { return }
    if count == nil { endpoints[sender.index].links[link].isHeld = false }
    for _ in 0..<(count ?? .max) {
      guard let message = endpoints[sender.index].links[link].held.popFirst() else { return }
      deliver(message, from: sender.index, over: link)
    }
  }

  /// Loses the next `count` messages of the kinds that may be lost from `sender` to `receiver`.
  public func dropNext(
    _ count: Int, from sender: InMemoryTransport, to receiver: InMemoryTransport
  ) {
    guard let link = endpoints[sender.index].link(to: receiver.index) else { return }
    endpoints[sender.index].links[link].dropCount += count
  }

  /// Lets `receiver` hear a bare datagram, as from `nc -u`.
  public func hear(_ message: PlainMessage, at receiver: InMemoryTransport) {
    guard !endpoints[receiver.index].isClosed else { return }
    endpoints[receiver.index].tell(.plain(message))
  }

  /// By which name `endpoint` knows `other`, where they are connected.
  public func peerID(of other: InMemoryTransport, at endpoint: InMemoryTransport) -> PeerID? {
    let link = endpoints[endpoint.index].link(to: other.index)
    return link.map { endpoints[endpoint.index].links[$0].peer }
  }
}
