/// Which messages of one channel and kind have been delivered: each is, at most once.
///
/// A packet is refused when its number comes again, but a sender may put the same messages into
/// packets of several numbers. What is further back than the window cannot be told apart from a
/// copy and counts as one.
struct ArrivedNumbers {
  /// One more than the largest that was delivered or given up.
  private(set) var next: UInt64 = 0
  /// Bit i of word w stands for `next - 1 - (64 w + i)`.
  private var words: InlineArray<4, UInt64> = [0, 0, 0, 0]

  static let window: UInt64 = 256

  func contains(_ number: UInt64) -> Bool {
    guard number < next else { return false }
    let age = next - 1 - number
    guard age < Self.window else { return true }
    return words[Int(age / 64)] >> (age % 64) & 1 == 1
  }

  /// Notes the delivery of a number.
  mutating func insert(_ number: UInt64) {
    if number >= next { advance(to: number + 1) }
    let age = next - 1 - number
    guard age < Self.window else { return }
    words[Int(age / 64)] |= 1 << (age % 64)
  }

  /// Makes `next` at least `number`; what is passed over has not been delivered.
  mutating func advance(to number: UInt64) {
    guard number > next else { return }
    let distance = number - next
    next = number
    guard distance < Self.window else {
      words = [0, 0, 0, 0]
      return
    }
    let whole = Int(distance / 64)
    let part = distance % 64
    for target in (0..<4).reversed() {
      let source = target - whole
      var word: UInt64 = source >= 0 ? words[source] << part : 0
      if part > 0, source >= 1 { word |= words[source - 1] >> (64 - part) }
      words[target] = word
    }
  }
}
