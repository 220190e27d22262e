import ChatCodec
import Testing

struct BareDatagramTests {
  @Test(arguments: [
    ("msg:hi\n", "hi"),
    ("msg:hi\r\n", "hi"),
    ("msg:hi", "hi"),
    ("msg:hi\n\n", "hi\n"),
    ("msg:hi\r\n\r\n", "hi\r\n"),
    ("msg:hi\n\r", "hi\n\r"),
    ("msg:hi\r", "hi\r"),
    ("msg:\r\r\n", "\r"),
    ("msg:", ""),
    ("msg:\n", ""),
    ("msg:\r\n", ""),
    ("msg: hi there \t \n", " hi there \t "),
    ("msg:one\nmsg:two\n", "one\nmsg:two"),
  ])
  func losesExactlyOneLineEndBehindAText(datagram: String, text: String) throws {
    #expect(try ChatFrame(bareDatagram: bytes(datagram).span) == .msg(bytes(text)))
  }

  @Test func readsANameWithItsLineEnd() throws {
    #expect(try ChatFrame(bareDatagram: bytes("iam:Luke\r\n").span) == .iam(ChatName("Luke")))
  }

  @Test func doesNotCountTheLineEndInTheSizeOfAText() throws {
    let text = [UInt8](repeating: 0x61, count: 65_536)
    #expect(try ChatFrame(bareDatagram: (bytes("msg:") + text + [0x0A]).span) == .msg(text))
    #expect(throws: ChatFrameError.textTooLong(bytes: 65_537, limit: 65_536)) {
      try ChatFrame(bareDatagram: (bytes("msg:b") + text + [0x0A]).span)
    }
  }

  @Test(arguments: [
    ("", ChatFrameError.empty),
    ("hello\n", .missingColon(bytes: 6)),
    ("MSG:hi\n", .unknownVerb(start: Array("MSG".utf8), length: 3)),
    ("iam:\n", .invalidName(.empty)),
  ])
  func refusesWhatAMessageRefuses(datagram: String, error: ChatFrameError) {
    #expect(throws: error) { try ChatFrame(bareDatagram: bytes(datagram).span) }
  }

  @Test(arguments: ["iam:", "msg:", "iam:Luke", "msg:hi\n"])
  func isToldByItsVerb(datagram: String) {
    #expect(isBare(bytes(datagram)))
  }

  @Test(arguments: ["", "i", "iam", "msg", "IAM:x", " msg:x", "hello", "\u{80}iam:"])
  func isNotToldByAnythingElse(datagram: String) {
    #expect(!isBare(bytes(datagram)))
  }
}
