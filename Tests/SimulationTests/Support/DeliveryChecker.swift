import ChatTransport
import Testing

/// Watches what arrives and compares it with what each kind of delivery promises.
struct DeliveryChecker {
  /// A payload that carries its own number, padded to a size.
  static func payload(_ number: Int, size: Int) -> [UInt8] {
    [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
      + Array(repeating: UInt8(truncatingIfNeeded: number), count: size)
  }

  static func number(in payload: [UInt8]) -> Int {
    Int(payload[0]) << 16 | Int(payload[1]) << 8 | Int(payload[2])
  }

  /// Checks the messages that one host received, `sent` of each kind on each channel.
  func check(_ messages: [ReceivedMessage], sent: Int, channels: UInt8, replay: String) {
    for channel in 0..<channels {
      for delivery in Delivery.allCases {
        let numbers = messages.filter { $0.channel == channel && $0.delivery == delivery }
          .map { Self.number(in: $0.payload) }
        check(numbers, delivery, sent: sent, "\(delivery), channel \(channel); \(replay)")
      }
    }
  }

  private func check(_ numbers: [Int], _ delivery: Delivery, sent: Int, _ place: String) {
    let isOnce = Set(numbers).count == numbers.count
    #expect(isOnce, "something arrived twice: \(place)")
    let all = Array(0..<sent)
    switch delivery {
    case .ordered:
      let isComplete = numbers == all
      #expect(isComplete, "\(numbers.count) of \(sent), or out of order: \(place)")
    case .reliable:
      let isComplete = numbers.sorted() == all
      #expect(isComplete, "\(numbers.count) of \(sent): \(place)")
    case .sequenced:
      let isForward = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
      #expect(isForward, "backwards: \(place)")
      #expect(numbers.count > sent / 10, "hardly anything arrived: \(place)")
    case .unreliable:
      let isSent = numbers.allSatisfy { all.contains($0) }
      #expect(isSent, "never sent: \(place)")
      #expect(numbers.count > sent / 4, "hardly anything arrived: \(place)")
    }
  }
}
