import ChatTransport
import Primitives

/// What a responder hands out instead of keeping state: only who receives at an address can give
/// it back from there (as the token of RFC 9000, section 8.1).
struct Cookie: Equatable {
  /// When it was made, in whole seconds of the responder's own clock.
  var issuedAt: UInt32
  var tag: UInt64
}

/// Makes and checks cookies with a secret that nobody else has.
struct CookieJar {
  private let key: Secret
  /// How long a cookie is good for, in whole seconds.
  private let lifetime: UInt32

  init(key: Secret, lifetime: Interval) {
    self.key = key
    self.lifetime = UInt32(clamping: lifetime.nanoseconds / 1_000_000_000)
  }

  func cookie(
    for source: ConnectionID, of dialler: Incarnation, at address: SocketAddress, now: Instant
  ) -> Cookie {
    let issued = seconds(now)
    return Cookie(issuedAt: issued, tag: tag(source, dialler, address, issued))
  }

  func isValid(
    _ cookie: Cookie, for source: ConnectionID, of dialler: Incarnation,
    at address: SocketAddress, now: Instant
  ) -> Bool {
    let age = seconds(now) &- cookie.issuedAt
    return age <= lifetime && cookie.tag == tag(source, dialler, address, cookie.issuedAt)
  }

  private func tag(
    _ source: ConnectionID, _ dialler: Incarnation, _ address: SocketAddress, _ issued: UInt32
  ) -> UInt64 {
    var hash = SipHash(key: key)
    hash.combine(source.rawValue)
    hash.combine(dialler.identity.high)
    hash.combine(dialler.identity.low)
    hash.combine(dialler.epoch)
    hash.combine(address.ip.family.rawValue)
    hash.combine(address.ip.high)
    hash.combine(address.ip.low)
    hash.combine(UInt64(address.port))
    hash.combine(UInt64(address.scope))
    hash.combine(UInt64(issued))
    return hash.finalize()
  }

  private func seconds(_ now: Instant) -> UInt32 {
    UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000_000)
  }
}
