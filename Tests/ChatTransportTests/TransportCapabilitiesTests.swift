import ChatTransport
import Testing

struct TransportCapabilitiesTests {
  func capabilities(
    _ deliveries: Set<Delivery>, channels: Int = 2, supportsMaximumAge: Bool = true
  ) -> TransportCapabilities {
    TransportCapabilities(
      deliveries: deliveries, maximumMessageSize: 100, channelCount: channels,
      numbersMessages: true, acknowledgesMessages: true, supportsMaximumAge: supportsMaximumAge)
  }

  static let grants: [(offered: Set<Delivery>, asked: Delivery, granted: Delivery?)] = [
    ([.unreliable, .sequenced, .reliable, .ordered], .sequenced, .sequenced),
    ([.unreliable, .sequenced, .reliable, .ordered], .reliable, .reliable),
    ([.ordered], .unreliable, .ordered),
    ([.ordered], .sequenced, .ordered),
    ([.ordered], .reliable, .ordered),
    ([.reliable], .unreliable, .reliable),
    ([.reliable], .sequenced, nil),
    ([.reliable], .ordered, nil),
    ([.unreliable], .reliable, nil),
    ([.sequenced, .ordered], .unreliable, .sequenced),
    ([], .unreliable, nil),
  ]

  @Test(arguments: grants)
  func theWeakestSufficientKindIsGranted(
    row: (offered: Set<Delivery>, asked: Delivery, granted: Delivery?)
  ) {
    #expect(capabilities(row.offered).granted(for: row.asked) == row.granted)
  }

  @Test func aMessageOfTheLargestSizePasses() throws {
    let options = SendOptions(channel: 1, delivery: .reliable, maximumAge: .seconds(1))
    #expect(try capabilities([.reliable]).check(payloadSize: 100, options) == .reliable)
  }

  @Test func aLargerMessageIsRefused() {
    #expect(throws: SendError.tooLarge(size: 101, limit: 100)) {
      try capabilities([.ordered]).check(payloadSize: 101, SendOptions())
    }
  }

  @Test func aChannelBeyondTheLastIsRefused() {
    #expect(throws: SendError.noSuchChannel(2, count: 2)) {
      try capabilities([.ordered]).check(payloadSize: 1, SendOptions(channel: 2))
    }
  }

  @Test func aMaximumAgeThatCannotBeKeptIsRefused() {
    #expect(throws: SendError.unsupportedMaximumAge) {
      try capabilities([.ordered], supportsMaximumAge: false)
        .check(payloadSize: 1, SendOptions(maximumAge: .seconds(1)))
    }
  }

  @Test func whatCannotBeGivenIsRefused() {
    #expect(throws: SendError.unsupportedDelivery(.ordered)) {
      try capabilities([.unreliable]).check(payloadSize: 1, SendOptions(delivery: .ordered))
    }
  }
}
