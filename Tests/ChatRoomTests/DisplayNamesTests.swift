import ChatTransport
import Testing

@testable import ChatRoom

struct DisplayNamesTests {
  func resolve(_ holders: [(String, UInt64)]) -> [String] {
    DisplayNames.resolve(
      holders.map {
        DisplayNames.Holder(
          name: $0, folded: DisplayNames.folded($0), identity: Identity(high: $1, low: 0))
      })
  }

  @Test func differentNamesStay() {
    #expect(resolve([("Luke", 1), ("Leia", 2)]) == ["Luke", "Leia"])
  }

  @Test func theFirstKeepsItsName() {
    #expect(
      resolve([("Luke", 0x1111 << 48), ("Leia", 3), ("Luke", 0x3F2A << 48)])
        == ["Luke", "Leia", "Luke#3f2a"])
  }

  @Test func asManyDigitsAsItTakes() {
    #expect(
      resolve([
        ("Luke", 0), ("Luke", 0xABCD_1 << 44), ("Luke", 0xABCD_2 << 44), ("Luke", 0xABC0 << 48),
      ]) == ["Luke", "Luke#abcd1", "Luke#abcd2", "Luke#abc0"])
  }

  @Test(arguments: [
    "luke", "LUKE", "Lu\u{200B}ke", "Luke\u{FE0F}", "\u{2060}Luke", "Luke\u{3164} ",
  ])
  func whatLooksTheSameIsTheSame(name: String) {
    #expect(resolve([("Luke", 1), (name, 0xAAAA << 48)]) == ["Luke", name + "#aaaa"])
  }

  @Test func caseAndCompositionDoNotMatter() {
    #expect(DisplayNames.folded("STRASSE") == DisplayNames.folded("Straße"))
    #expect(DisplayNames.folded("Ren\u{E9}") == DisplayNames.folded("RENE\u{301}"))
    #expect(DisplayNames.folded("a \u{A0}b") == DisplayNames.folded("A b"))
  }

  @Test func nobodyCanLookLikeAnothersDisplayName() {
    let names = resolve([("Luke#3f2a", 1 << 60), ("Luke", 2), ("Luke", 0x3F2A << 48)])
    #expect(names == ["Luke#3f2a#1000", "Luke", "Luke#3f2a"])
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func displayNamesAreUnique(seed: UInt64) {
    var dice = Dice(seed)
    let names = ["Luke", "luke", "Luke#1000", "luke#1000", "Leia", "Luke#1", "#"]
    var used: Set<UInt64> = []
    let holders = (0..<30).compactMap { _ -> (String, UInt64)? in
      let identity = UInt64(dice.number(below: 3)) << 60 | UInt64(dice.number(below: 50)) << 32
      return used.insert(identity).inserted
        ? (names[dice.number(below: names.count)], identity) : nil
    }
    let folded = resolve(holders).map(DisplayNames.folded)
    #expect(Set(folded).count == folded.count, "seed \(seed)")
  }
}
