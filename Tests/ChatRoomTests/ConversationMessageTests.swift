import ChatTransport
import Testing

@testable import ChatRoom

struct ConversationMessageTests {
  static func messages() throws -> [ConversationMessage] {
    [
      .greeting(owedAfter: 0, try record(.iam, 0)),
      .greeting(owedAfter: 299, try record(.iam, 300)),
      .record(try record(.msg, 1)),
      .record(try record(.bye, 70_000)),
      .withheld(incarnation(3), 1...1),
      .withheld(incarnation(3), 63...70_000),
    ]
  }

  @Test(arguments: 0..<6)
  func everyMessageComesBack(index: Int) throws {
    let message = try Self.messages()[index]
    #expect(ConversationMessage(decoding: message.encoded().span) == message)
  }

  @Test func theLayoutIsAsDocumented() throws {
    let line = try record(.msg, 1)
    #expect(ConversationMessage.record(line).encoded() == [2] + encoded(line))
    let iam = try record(.iam, 300)
    #expect(
      ConversationMessage.greeting(owedAfter: 299, iam).encoded()
        == [1, 0x41, 0x2B] + encoded(iam))
    let author = Incarnation(identity: Identity(high: 1, low: 2), epoch: 3)
    #expect(
      ConversationMessage.withheld(author, 5...300).encoded()
        == [3] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 3]
        + [5, 0x41, 0x2C])
  }

  @Test(arguments: 0..<6)
  func noPrefixAndNothingLongerIsAMessage(index: Int) throws {
    let bytes = try Self.messages()[index].encoded()
    for length in bytes.indices {
      #expect(ConversationMessage(decoding: bytes.span.extracting(0..<length)) == nil)
    }
    #expect(ConversationMessage(decoding: (bytes + [0]).span) == nil)
  }

  @Test func aGreetingIsAnIntroductionThatFitsItsNumber() throws {
    let more = ConversationMessage.greeting(owedAfter: 5, try record(.iam, 4))
    #expect(ConversationMessage(decoding: more.encoded().span) == nil)
    let line = ConversationMessage.greeting(owedAfter: 1, try record(.msg, 4))
    #expect(ConversationMessage(decoding: line.encoded().span) == nil)
    let bare = ConversationMessage.record(try record(.iam, 4))
    #expect(ConversationMessage(decoding: bare.encoded().span) == nil)
  }

  @Test func aRangeThatIsNoneIsRefused() {
    let author = incarnation(3)
    var bytes = ConversationMessage.withheld(author, 5...6).encoded()
    bytes[26] = 4
    #expect(ConversationMessage(decoding: bytes.span) == nil)
    bytes[25] = 0
    #expect(ConversationMessage(decoding: bytes.span) == nil)
  }
}
