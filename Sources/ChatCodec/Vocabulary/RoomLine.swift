/// What a room says to those who are in it.
///
/// The bytes are `NAME has joined`, `NAME has left` and `NAME:TEXT`. A name holds no colon, so the
/// first colon tells them apart: a text may well end in `has joined`.
public enum RoomLine: Hashable, Sendable {
  case joined(ChatName)
  case left(ChatName)
  /// Somebody said a text: any bytes, as they were said.
  case said(ChatName, [UInt8])
}
