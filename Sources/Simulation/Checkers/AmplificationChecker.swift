import NetworkEmulator
import Primitives

/// Holds that nobody is made to attack a third: to an address at which nobody answers go at most
/// three times the bytes that seemed to come from it (RFC 9000, section 8).
final class AmplificationChecker {
  private let violations: Violations
  private var accounts: [IPAddress: Account] = [:]

  private struct Account {
    var received = 0
    var sent = 0
  }

  init(_ violations: Violations) {
    self.violations = violations
  }

  /// Whether an address is of those at which nobody is: 10.128.0.0/9.
  static func isVictim(_ ip: IPAddress) -> Bool {
    ip.family == .ipv4 && ip.low >> 23 & 0x1FF == 0x0A << 1 | 1
  }

  /// One of those addresses, by a number of 23 bits.
  static func victim(_ number: Int) -> SocketAddress {
    SocketAddress(ip: IPAddress(ipv4: 0x0A80_0000 | UInt32(number)), port: 1_024)
  }

  /// Notes that a host was told of a candidate at `ip` by a beacon of `size` bytes.
  func noteBeacon(from ip: IPAddress, size: Int) {
    accounts[ip, default: Account()].received += size
  }

  func observe(_ datagram: CapturedDatagram) {
    switch datagram.event {
    case .sent where datagram.sender != nil: break
    case .delivered where Self.isVictim(datagram.source.ip):
      accounts[datagram.source.ip, default: Account()].received += datagram.bytes.count
      return
    default: return
    }
    let ip = datagram.destination.ip
    guard Self.isVictim(ip) else { return }
    accounts[ip, default: Account()].sent += datagram.bytes.count
    if let account = accounts[ip], account.sent > 3 * account.received {
      violations.add("\(account.sent) bytes to \(ip), from where \(account.received) came")
    }
  }
}
