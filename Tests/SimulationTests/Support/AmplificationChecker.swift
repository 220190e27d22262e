import NetworkEmulator
import Primitives

@testable import DatagramPeer

/// Watches every datagram and holds the rule of Docs/WireFormat.md, section 8: to an address that
/// has not shown that it receives what is sent there, never more than three times the bytes that
/// came from it, and no data at all.
final class AmplificationChecker {
  private struct Flow: Hashable {
    var host: HostID
    var ip: IPAddress
    var port: UInt16
  }

  private struct Account {
    var received = 0
    var sent = 0
    var isProven = false
    /// What only who receives at the address can give back.
    var secrets: Set<UInt64> = []
  }

  private var accounts: [Flow: Account] = [:]
  private var watched: Set<HostID> = []
  private(set) var violations: [String] = []

  /// The largest hello: what a candidate may cost the address that was named.
  static let candidateAllowance = 123

  /// Begins to watch a host, or begins again after its restart.
  func watch(_ host: HostID) {
    watched.insert(host)
    accounts = accounts.filter { $0.key.host != host }
  }

  /// Notes that a host was told of a candidate: as much as a beacon from there.
  func noteCandidate(at host: HostID, _ remote: SocketAddress) {
    let flow = Flow(host: host, ip: remote.ip, port: remote.port)
    // The checker grants three bytes for one.
    accounts[flow, default: Account()].received += (Self.candidateAllowance + 2) / 3
  }

  func observe(_ datagram: CapturedDatagram) {
    switch datagram.event {
    case .sent:
      if let sender = datagram.sender, watched.contains(sender) { noteSent(datagram, by: sender) }
    case .delivered:
      if let receiver = datagram.receiver, watched.contains(receiver) {
        noteDelivered(datagram, to: receiver)
      }
    case .dropped: break
    }
  }

  private func noteSent(_ datagram: CapturedDatagram, by host: HostID) {
    let remote = datagram.destination
    // Beacons to a group are nobody's answer.
    guard !remote.ip.isMulticast else { return }
    let flow = Flow(host: host, ip: remote.ip, port: remote.port)
    var account = accounts[flow] ?? Account()
    var isData = false
    switch HandshakePacket(parsing: datagram.bytes.span) {
    case .hello(let hello):
      account.secrets.insert(hello.source.rawValue)
      // The user named this address.
      if hello.expected == nil { account.sent -= datagram.bytes.count }
    case .challenge(let challenge): account.secrets.insert(challenge.cookie.tag)
    case .probe(let probe): account.secrets.insert(probe.nonce)
    case .open, .accept, .probeReply, .versions, .reset: break
    case nil: isData = datagram.bytes[0] & PacketHeader.mask == PacketHeader.mark
    }
    account.sent += datagram.bytes.count
    accounts[flow] = account
    guard !account.isProven else { return }
    if isData {
      violations.append("data to \(remote), which has not answered, at \(datagram.time)")
    } else if account.sent > account.received * 3 {
      violations.append("\(account.sent) bytes to \(remote) for \(account.received)")
    }
  }

  private func noteDelivered(_ datagram: CapturedDatagram, to host: HostID) {
    let flow = Flow(host: host, ip: datagram.source.ip, port: datagram.source.port)
    var account = accounts[flow] ?? Account()
    account.received += datagram.bytes.count
    let secret: UInt64? =
      switch HandshakePacket(parsing: datagram.bytes.span) {
      case .challenge(let challenge): challenge.destination.rawValue
      case .open(let open): open.cookie.tag
      case .probeReply(let reply): reply.nonce
      case .hello, .accept, .probe, .versions, .reset, nil: nil
      }
    if let secret, account.secrets.contains(secret) { account.isProven = true }
    accounts[flow] = account
  }
}
