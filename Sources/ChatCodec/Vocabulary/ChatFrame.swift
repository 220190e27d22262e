/// What somebody says to a room: who he is, or a line of text.
///
/// The bytes are `iam:NAME` and `msg:TEXT`, everywhere. What differs between kinds of transport is
/// where a frame ends, and so each kind has its own decoder: `Messages` for transports that keep
/// messages apart, `Datagrams` for bare datagrams of other programs.
public enum ChatFrame: Hashable, Sendable {
  /// The sender's name.
  case iam(ChatName)
  /// A text: any bytes, also line ends and what is not UTF-8, as they were said.
  case msg([UInt8])

  /// The largest size of a text, in bytes.
  public static let maximumTextByteCount = 65_536

  /// How many bytes a verb takes with its colon.
  static let verbByteCount = 4
}
