/// Which messages of one channel and kind have been delivered: each is, at most once.
///
/// A packet is refused when its number comes again, but a sender may put the same messages into
/// packets of several numbers. What is further back than the window cannot be told apart from a
/// copy and counts as one.
struct ArrivedNumbers {
  /// One more than the largest that was delivered or given up.
  private(set) var next: UInt64 = 0
  /// A ring: number n has bit n % 64 of word n / 64 % 16.
  private var words = InlineArray<16, UInt64>(repeating: 0)

  /// How far back numbers are remembered: several full packets of small messages.
  static let window: UInt64 = 1_024

  func contains(_ number: UInt64) -> Bool {
    guard number < next else { return false }
    guard next - number <= Self.window else { return true }
    return words[Self.word(of: number)] >> (number % 64) & 1 == 1
  }

  /// Notes the delivery of a number.
  mutating func insert(_ number: UInt64) {
    advance(to: number + 1)
    guard next - number <= Self.window else { return }
    words[Self.word(of: number)] |= 1 << (number % 64)
  }

  /// Makes `next` at least `number`; what is passed over has not been delivered.
  mutating func advance(to number: UInt64) {
    guard number > next else { return }
    if number - next >= Self.window {
      words = InlineArray(repeating: 0)
      next = number
    }
    // The places of what is passed over held older numbers.
    while next < number {
      let low = next % 64
      let count = min(64 - low, number - next)
      words[Self.word(of: next)] &= ~((UInt64.max >> (64 - count)) << low)
      next += count
    }
  }

  private static func word(of number: UInt64) -> Int { Int(number / 64 % 16) }
}
