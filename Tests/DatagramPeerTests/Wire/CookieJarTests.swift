import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct CookieJarTests {
  private let jar = CookieJar(key: Secret(seed: 1), lifetime: .seconds(10))
  private let source = ConnectionID(rawValue: 77)
  private let dialler = Incarnation(identity: Identity(high: 1, low: 2), epoch: 3)
  private let address = SocketAddress(
    ip: IPAddress(ipv6High: 0xFE80 << 48, low: 9), port: 28_421, scope: 3)

  private func isValid(
    _ cookie: Cookie, after age: Interval, issued: Instant = Instant(nanoseconds: 0)
  ) -> Bool {
    jar.isValid(cookie, for: source, of: dialler, at: address, now: issued + age)
  }

  private func cookie(at now: Instant = .zero) -> Cookie {
    jar.cookie(for: source, of: dialler, at: address, now: now)
  }

  @Test("A cookie is good for its lifetime, counted in whole seconds")
  func lifetime() {
    #expect(isValid(cookie(), after: .zero))
    #expect(isValid(cookie(), after: .milliseconds(10_999)))
    #expect(!isValid(cookie(), after: .seconds(11)))
    #expect(!isValid(cookie(), after: .seconds(1 << 31)))
  }

  @Test("A cookie of the future is refused")
  func future() {
    let now = Instant.zero + .seconds(100)
    #expect(!isValid(cookie(at: now + .seconds(1)), after: .zero, issued: now))
  }

  @Test("The count of seconds may wrap between making and checking")
  func wrap() {
    let last = Instant.zero + .seconds((1 << 32) - 1)
    #expect(cookie(at: last).issuedAt == .max)
    #expect(isValid(cookie(at: last), after: .seconds(10), issued: last))
    #expect(!isValid(cookie(at: last), after: .seconds(11), issued: last))
  }

  @Test("A clock that stands before its zero makes good cookies too")
  func negativeClock() {
    let early = Instant.zero - .seconds(5)
    #expect(isValid(cookie(at: early), after: .seconds(9), issued: early))
  }

  @Test("Nobody else can use it: address, port, scope, connection, identity, epoch, key")
  func boundToItsOwner() {
    let cookie = cookie()
    func isValid(
      _ cookie: Cookie, source: ConnectionID? = nil, dialler: Incarnation? = nil,
      address: SocketAddress? = nil, jar: CookieJar? = nil
    ) -> Bool {
      (jar ?? self.jar).isValid(
        cookie, for: source ?? self.source, of: dialler ?? self.dialler,
        at: address ?? self.address, now: .zero)
    }
    #expect(isValid(cookie))
    #expect(!isValid(cookie, source: ConnectionID(rawValue: 78)))
    for identity in [Identity(high: 2, low: 2), Identity(high: 1, low: 3)] {
      #expect(!isValid(cookie, dialler: Incarnation(identity: identity, epoch: 3)))
    }
    #expect(!isValid(cookie, dialler: Incarnation(identity: dialler.identity, epoch: 4)))
    var other = address
    other.port += 1
    #expect(!isValid(cookie, address: other))
    other = address
    other.scope = 4
    #expect(!isValid(cookie, address: other))
    other = address
    other.ip = IPAddress(ipv6High: 0xFE80 << 48, low: 10)
    #expect(!isValid(cookie, address: other))
    #expect(!isValid(cookie, jar: CookieJar(key: Secret(seed: 2), lifetime: .seconds(10))))
    #expect(!isValid(Cookie(issuedAt: cookie.issuedAt, tag: cookie.tag ^ 1)))
    #expect(!isValid(Cookie(issuedAt: cookie.issuedAt &- 1, tag: cookie.tag)))
  }

  @Test("The same bits in the other family are another address")
  func family() {
    let four = SocketAddress(ip: IPAddress(ipv4: 9), port: 1)
    let six = SocketAddress(ip: IPAddress(ipv6High: 0, low: 9), port: 1)
    let cookie = jar.cookie(for: source, of: dialler, at: four, now: .zero)
    #expect(jar.isValid(cookie, for: source, of: dialler, at: four, now: .zero))
    #expect(!jar.isValid(cookie, for: source, of: dialler, at: six, now: .zero))
  }
}
