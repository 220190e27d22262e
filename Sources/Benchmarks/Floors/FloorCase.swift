import CBenchmarks
import Primitives

/// A case of plain sockets, without any protocol of ours: what the machine can do.
public struct FloorCase: Hashable, Sendable {
  /// What names it on the command line.
  public var name: String
  /// What a reader sees.
  public var title: String
  public var isTCP: Bool
  /// Whether it is a conversation there and back, else a flood one way.
  public var isEcho = false
  /// Conversations: poll without sleeping.
  public var isBusy = false
  /// Bytes of payload of a message.
  public var size: Int
  /// Messages in a datagram, or in a write.
  public var together = 1
  /// Datagrams in one send (UDP_SEGMENT), received with UDP_GRO; 0 without.
  public var segments = 0
  /// Datagrams in one call (sendmmsg).
  public var batch = 1
  /// Datagrams, or sends of several, under way at once.
  public var window = 2_048

  private init(_ name: String, _ title: String, isTCP: Bool, size: Int) {
    self.name = name
    self.title = title
    self.isTCP = isTCP
    self.size = size
  }

  private func with(_ change: (inout FloorCase) -> Void) -> FloorCase {
    var copy = self
    change(&copy)
    return copy
  }

  /// Messages of 64 bytes, as fast as they go.
  public static let small: [FloorCase] = [
    FloorCase("udp-64", "UDP, a datagram each", isTCP: false, size: 64),
    FloorCase("udp-64-mmsg", "UDP, sendmmsg of 32", isTCP: false, size: 64).with { $0.batch = 32 },
    FloorCase("udp-64-18", "UDP, 18 in a datagram", isTCP: false, size: 64).with {
      $0.together = 18
    },
    FloorCase("udp-64-gso", "UDP, 18 in a datagram, GSO 48 + GRO", isTCP: false, size: 64).with {
      $0.together = 18
      $0.segments = 48
      $0.window = 64
    },
    FloorCase("tcp-64-64", "TCP, 64 in a write", isTCP: true, size: 64).with { $0.together = 64 },
    FloorCase("tcp-64-963", "TCP, 64 KB in a write", isTCP: true, size: 64).with {
      $0.together = 963
    },
  ]

  /// Messages of 1,200 bytes.
  public static let large: [FloorCase] = [
    FloorCase("udp-1200", "UDP, a datagram each", isTCP: false, size: 1_200),
    FloorCase("udp-1200-gso", "UDP, GSO 48 + GRO", isTCP: false, size: 1_200).with {
      $0.segments = 48
      $0.window = 64
    },
    FloorCase("tcp-1200-16", "TCP, 16 in a write", isTCP: true, size: 1_200).with {
      $0.together = 16
    },
    FloorCase("tcp-1200-54", "TCP, 64 KB in a write", isTCP: true, size: 1_200).with {
      $0.together = 54
    },
  ]

  /// A message of 64 bytes there and back.
  public static let echoes: [FloorCase] = [false, true].flatMap { isBusy in
    [false, true].map { isTCP in
      let name = (isTCP ? "tcp" : "udp") + (isBusy ? "-echo-busy" : "-echo-epoll")
      let title = (isTCP ? "TCP" : "UDP") + (isBusy ? ", busy polling" : ", epoll")
      return FloorCase(name, title, isTCP: isTCP, size: 64).with {
        $0.isEcho = true
        $0.isBusy = isBusy
      }
    }
  }

  public static let all = small + large + echoes

  public static func named(_ name: String) -> FloorCase? { all.first { $0.name == name } }

  /// The case as the C side takes it.
  func flat(warmUp: Interval, duration: Interval) -> patter_floor_case {
    patter_floor_case(
      stream: isTCP, busy: isBusy, size: UInt32(size), together: UInt32(together),
      segments: UInt32(segments), batch: UInt32(batch), window: UInt32(window),
      warm_up: UInt64(max(0, warmUp.nanoseconds)), duration: UInt64(max(0, duration.nanoseconds)))
  }
}
