import ChatTransport
import Testing

struct DeliveryTests {
  /// Asked for, and what may be given instead.
  static let table: [(asked: Delivery, satisfying: Set<Delivery>)] = [
    (.unreliable, [.unreliable, .sequenced, .reliable, .ordered]),
    (.sequenced, [.sequenced, .ordered]),
    (.reliable, [.reliable, .ordered]),
    (.ordered, [.ordered]),
  ]

  @Test(arguments: table)
  func whatMayBeGivenInstead(row: (asked: Delivery, satisfying: Set<Delivery>)) {
    for given in Delivery.allCases {
      #expect(given.satisfies(row.asked) == row.satisfying.contains(given), "\(given)")
    }
  }

  @Test func onlyTheReliableKindsAreReliable() {
    #expect(Delivery.allCases.filter(\.isReliable) == [.reliable, .ordered])
  }
}
