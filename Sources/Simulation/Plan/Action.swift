import ChatTransport
import Primitives

/// Something that is done to a run at a time that was drawn before it began.
struct TimedAction {
  var time: Instant
  var action: Action
}

/// Hosts are named by their place in the run.
enum Action {
  case send(Sending)
  /// Everything from one host to another is lost, or no more.
  case silence(from: Int, to: Int, Bool)
  case partition([Int])
  case heal
  case suspend(Int, Interval)
  case jumpClock(Int, Interval)
  case restart(Int)
  case close(Int)
  case changePort(Int)
  case changeAddress(Int)
  /// Larger datagrams vanish; `nil` for none.
  case blackHole(Int, above: Int?)
  case read(Int, Bool)
  case disconnect(Int, draw: UInt64)
  case attack(Attack)
  case flood(Int, count: Int, draw: UInt64)

  /// Messages that a user sends one after the other.
  struct Sending {
    var host: Int
    var count: Int
    /// `nil` for everyone.
    var peerDraw: UInt64?
    var size: Int
    var options: SendOptions
  }

  /// What an attacker sends to a host.
  struct Attack {
    enum Kind: CaseIterable {
      /// A datagram that had arrived somewhere, as it was.
      case replay
      case randomBytes
      /// A well-formed beginning, with an identifier that is made up.
      case forgedHeader
      /// A datagram that had arrived, with another identifier and something changed or cut off.
      case mutation
      /// A beacon that names somebody at an address which is not his.
      case beacon
    }

    var kind: Kind
    var host: Int
    var count: Int
    var draw: UInt64
    /// Whether the sender's address is that of an uninvolved third, and not of a peer.
    var isFromVictim: Bool
  }
}

extension Action: CustomStringConvertible {
  var description: String {
    switch self {
    case .send(let sending):
      "host \(sending.host) sends \(sending.count) of \(sending.size) bytes, "
        + "\(sending.options.delivery), channel \(sending.options.channel)"
    case .silence(let from, let to, let isOn):
      "the way from host \(from) to \(to) is \(isOn ? "dead" : "open")"
    case .partition(let hosts): "hosts \(hosts) are cut off"
    case .heal: "all partitions end"
    case .suspend(let host, let time): "host \(host) is suspended for \(time.milliseconds) ms"
    case .jumpClock(let host, let time):
      "the clock of host \(host) jumps by \(time.milliseconds) ms"
    case .restart(let host): "host \(host) starts again"
    case .close(let host): "host \(host) closes"
    case .changePort(let host): "host \(host) is seen under another port"
    case .changeAddress(let host): "host \(host) has another address"
    case .blackHole(let host, let size):
      "host \(host) " + (size.map { "loses all above \($0) bytes" } ?? "has its MTU back")
    case .read(let host, let isOn): "the user of host \(host) \(isOn ? "reads" : "stops reading")"
    case .disconnect(let host, _): "host \(host) disconnects a peer"
    case .attack(let attack):
      "host \(attack.host) is attacked: \(attack.count) times \(attack.kind)"
    case .flood(let host, let count, _): "\(count) strangers call host \(host)"
    }
  }
}
