import ChatCodec
import ChatRoom
import DatagramPeer
import NetworkEmulator
import PeerDiscovery
import Primitives
import Simulation

/// Everything that reads bytes which nobody vouches for, by its name.
///
/// Any bytes may be refused. None may trap, which is how a broken promise shows here too: what was
/// read has to give the same bytes again where there is one encoding only.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case datagram
  case frames
  case acknowledgement
  case beacon
  case chat
  case record
  case conversation
  case impairment
  /// An endpoint in the middle of a conversation.
  case machine

  public func run(_ bytes: Span<UInt8>) {
    switch self {
    case .datagram: DatagramFuzzing.datagram(bytes)
    case .frames: DatagramFuzzing.frames(bytes)
    case .acknowledgement: DatagramFuzzing.acknowledgement(bytes)
    case .beacon: Self.beacon(bytes)
    case .chat: Self.chat(bytes)
    case .record: RoomFuzzing.record(bytes)
    case .conversation: RoomFuzzing.conversation(bytes)
    case .impairment: Self.impairment(bytes)
    case .machine: MachineFuzzing.run(bytes)
    }
  }

  private static func beacon(_ bytes: Span<UInt8>) {
    guard let beacon = try? Beacon(parsing: bytes) else { return }
    let again = [UInt8](capacity: 160) { beacon.emit(into: &$0) }
    precondition(again == bytes.copy(0..<bytes.count), "one encoding for each beacon")
  }

  private static func chat(_ bytes: Span<UInt8>) {
    if ChatFrame.isBare(bytes) { _ = try? ChatFrame(bareDatagram: bytes) }
    _ = try? RoomLine(decoding: bytes)
    _ = try? ChatName(bytes: bytes)
    guard let frame = try? ChatFrame(decoding: bytes) else { return }
    // A name may be spelt in more than one way, and is kept in one.
    let again = (try? frame.encoded()).flatMap { try? ChatFrame(decoding: $0.span) }
    precondition(again == frame, "what is written reads as it was")
  }

  private static func impairment(_ bytes: Span<UInt8>) {
    let text = String(decoding: bytes.copy(0..<bytes.count), as: UTF8.self)
    if let setting = try? ImpairmentSetting(parsing: text) {
      precondition((try? ImpairmentSetting(parsing: "\(setting)")) == setting, "reads what it says")
    }
    guard let impairment = try? Impairment(parsing: text) else { return }
    precondition((try? Impairment(parsing: "\(impairment)")) == impairment, "reads what it says")
  }
}
