import ChatTransport
import Primitives
import Testing

struct IdentityTests {
  @Test func textIs32Digits() {
    let identity = Identity(high: 0x0123_4567_89AB_CDEF, low: 1)
    #expect(identity.description == "0123456789abcdef0000000000000001")
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func textComesBack(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let identity = Identity(high: generator.next() >> (seed % 64), low: generator.next())
    #expect(Identity(identity.description) == identity)
    #expect(Identity(identity.description.uppercased()) == identity)
  }

  @Test(arguments: [
    "", "0123", "0123456789abcdef000000000000000", "0123456789abcdef00000000000000011",
    "+123456789abcdef0000000000000001", "0123456789abcdefg000000000000001",
    " 0123456789abcdef000000000000001", "0123456789abcdef00000000000000é",
  ])
  func anythingElseIsNoIdentity(text: String) {
    #expect(Identity(text) == nil)
  }

  @Test func orderIsThatOfTheBytes() {
    let sorted = [
      Identity(high: 0, low: .max), Identity(high: 1, low: 0), Identity(high: 1, low: 1),
      Identity(high: 1 << 63, low: 0),
    ]
    #expect(sorted.reversed().sorted() == sorted)
  }

  @Test func anIdentityComesBeforeAnEpoch() {
    let early = Incarnation(identity: Identity(high: 0, low: 1), epoch: 9)
    let late = Incarnation(identity: Identity(high: 0, low: 2), epoch: 1)
    #expect(early < late)
    #expect(early < Incarnation(identity: early.identity, epoch: 10))
  }
}
