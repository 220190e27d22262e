import Primitives

/// Lets each key pass so many times in a second, and so many keys in all. It remembers a key for
/// one second and never more keys than its limit, so that nobody can make it grow.
struct RateLimiter<Key: Hashable & Sendable>: Sendable {
  enum Refusal {
    /// This key has passed as often as it may.
    case key
    /// As many other keys as there may be have passed.
    case total
  }

  private struct Window: Sendable {
    var opened: Instant
    var key: Key
  }

  private static var period: Interval { .seconds(1) }

  private let passesPerKey: Int
  private let keyLimit: Int
  private var passes: [Key: Int] = [:]
  /// One for each key in `passes`, the oldest first.
  private var windows = Queue<Window>()

  init(passesPerKey: Int, keyLimit: Int) {
    self.passesPerKey = passesPerKey
    self.keyLimit = keyLimit
  }

  /// How many keys are remembered.
  var count: Int { passes.count }

  /// Whether and why `key` may not pass now. Counts nothing.
  mutating func refusal(of key: Key, at now: Instant) -> Refusal? {
    forgetOld(at: now)
    if let count = passes[key] { return count < passesPerKey ? nil : .key }
    return passes.count < keyLimit ? nil : .total
  }

  /// Counts that `key`, which was not refused, has passed.
  mutating func pass(_ key: Key, at now: Instant) {
    if passes[key] == nil { windows.append(Window(opened: now, key: key)) }
    passes[key, default: 0] += 1
  }

  private mutating func forgetOld(at now: Instant) {
    while let window = windows.first, window.opened + Self.period <= now {
      windows.popFirst()
      passes[window.key] = nil
    }
  }
}

/// A limit for each key of its own, for each host that the keys are at, and for all together.
struct Allowance<Key: Hashable & Sendable>: Sendable {
  private var keys: RateLimiter<Key>
  private var hosts: RateLimiter<IPAddress>

  /// In a second, `perKey` passes for each key, `perHost` for each host, `total` keys for all.
  init(perKey: Int, perHost: Int, total: Int) {
    keys = RateLimiter(passesPerKey: perKey, keyLimit: total)
    hosts = RateLimiter(passesPerKey: perHost, keyLimit: total)
  }

  /// How many keys are remembered.
  var count: Int { keys.count }

  /// Uses up one pass, or says which of the limits is in the way.
  mutating func take(_ key: Key, host: IPAddress, at now: Instant) -> RateLimiter<Key>.Refusal? {
    if let refusal = keys.refusal(of: key, at: now) { return refusal }
    guard hosts.refusal(of: host, at: now) == nil else { return .total }
    keys.pass(key, at: now)
    hosts.pass(host, at: now)
    return nil
  }
}
