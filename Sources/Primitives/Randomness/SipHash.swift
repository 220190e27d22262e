/// A secret of 128 bits: the key of everything a machine must not let others predict.
public struct Secret: Hashable, Sendable {
  public var first: UInt64
  public var second: UInt64

  public init(_ first: UInt64, _ second: UInt64) {
    self.first = first
    self.second = second
  }

  /// A secret for simulations and tests, where repeating a run matters and secrecy does not.
  public init(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    self.init(generator.next(), generator.next())
  }
}

/// SipHash-2-4 (Aumasson and Bernstein, INDOCRYPT 2012): a keyed hash of 64 bits that cannot be
/// predicted or forged without the key. It guards cookies; it is no signature.
public struct SipHash: Sendable {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  private var tail: UInt64 = 0
  private var byteCount: UInt64 = 0

  public init(key: Secret) {
    v0 = key.first ^ 0x736F_6D65_7073_6575
    v1 = key.second ^ 0x646F_7261_6E64_6F6D
    v2 = key.first ^ 0x6C79_6765_6E65_7261
    v3 = key.second ^ 0x7465_6462_7974_6573
  }

  public mutating func combine(_ byte: UInt8) {
    tail |= UInt64(byte) << (byteCount % 8 * 8)
    byteCount &+= 1
    if byteCount % 8 == 0 {
      compress(tail)
      tail = 0
    }
  }

  /// Takes in the eight bytes of `value`, the lowest first.
  public mutating func combine(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      combine(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  public mutating func combine(_ bytes: Span<UInt8>) {
    for index in bytes.indices { combine(bytes[index]) }
  }

  /// The hash of all that was taken in.
  public consuming func finalize() -> UInt64 {
    compress(tail | byteCount << 56)
    v2 ^= 0xFF
    for _ in 0..<4 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func round() {
    v0 &+= v1
    v2 &+= v3
    v1 = rotate(v1, 13) ^ v0
    v3 = rotate(v3, 16) ^ v2
    v0 = rotate(v0, 32)
    v2 &+= v1
    v0 &+= v3
    v1 = rotate(v1, 17) ^ v2
    v3 = rotate(v3, 21) ^ v0
    v2 = rotate(v2, 32)
  }

  private func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }
}

/// Random numbers from SipHash in counter mode: repeatable by whoever has the secret, not to be
/// predicted by anybody else, however many of them he has seen.
public struct KeyedGenerator: RandomNumberGenerator, Sendable {
  private let key: Secret
  private var counter: UInt64 = 0

  public init(key: Secret) {
    self.key = key
  }

  public mutating func next() -> UInt64 {
    var hash = SipHash(key: key)
    hash.combine(counter)
    counter &+= 1
    return hash.finalize()
  }
}
