import ChatRoom
import ChatTransport
import Primitives
import Testing

@testable import patter

struct TextChatPresenterTests {
  private let presenter = TextChatPresenter()
  private static let luke = Sample.member("Luke")

  private static let table: [(RoomEvent, OutputLine)] = [
    (.joined(luke), .out("* Luke has joined")),
    (.left(luke, .closedByThem), .out("* Luke has left")),
    (.left(luke, .timedOut), .out("* Luke has left (timed out)")),
    (.left(luke, .replaced), .out("* Luke has left (started again)")),
    (.left(luke, .refused), .out("* Luke has left (refused)")),
    (
      Sample.message(from: luke, "Hey, how goes it, man?"),
      .out("Luke: Hey, how goes it, man?")
    ),
    (Sample.message(from: luke, "a: b"), .out("Luke: a: b")),
    (Sample.message(from: luke, ""), .out("Luke: ")),
    (
      Sample.message(from: Sample.member("Luke", displayName: "Luke#3f2a"), "hi"),
      .out("Luke#3f2a: hi")
    ),
    (Sample.plain(nil, "hi"), .out("192.0.2.7:40213 (plain): hi")),
    (Sample.plain("Bob", "hi"), .out("Bob@192.0.2.7:40213 (plain): hi")),
    (.gap(luke, missing: 5..<6), .out("(1 message from Luke was lost)")),
    (.gap(luke, missing: 5..<7), .out("(2 messages from Luke were lost)")),
    (
      .gap(luke, missing: 0..<UInt64.max),
      .out("(18446744073709551615 messages from Luke were lost)")
    ),
    (
      .undelivered(Sample.record(3), to: luke, .connectionEnded),
      .error(
        """
        patter chat: line 3 may not have reached Luke: the connection ended before it was \
        acknowledged
        """)
    ),
    (
      .undelivered(Sample.record(3), to: luke, .queueFull),
      .error("patter chat: line 3 was not sent to Luke: too much was waiting to be sent")
    ),
    (
      .closed(.failed("the network is down")), .error("patter chat: the network is down")
    ),
  ]

  @Test(arguments: table)
  func shows(event: RoomEvent, line: OutputLine) {
    #expect(presenter.lines(for: event) == [line])
  }

  @Test func tellsOfLinesThatWereGivenUpTogether() {
    let leia = Sample.member("Leia")
    let events: [RoomEvent] =
      (1...1_000).map { .undelivered(Sample.record($0), to: Self.luke, .connectionEnded) } + [
        .undelivered(Sample.record(1_002), to: Self.luke, .queueFull),
        .undelivered(Sample.record(1_003), to: Self.luke, .queueFull),
        .undelivered(Sample.record(1_004), to: leia, .queueFull),
        .left(leia, .closedByThem),
        .undelivered(Sample.record(1_005), to: leia, .tooOld),
        .undelivered(Sample.record(1_006), to: leia, .tooOld),
      ]
    #expect(
      presenter.lines(for: events) == [
        .error(
          """
          patter chat: lines 1 to 1000 may not have reached Luke: the connection ended before \
          they were acknowledged
          """),
        .error(
          """
          patter chat: lines 1002 to 1003 were not sent to Luke: too much was waiting to be sent
          """),
        .error("patter chat: line 1004 was not sent to Leia: too much was waiting to be sent"),
        .out("* Leia has left"),
        .error(
          """
          patter chat: lines 1005 to 1006 may not have reached Leia: they were not acknowledged \
          in time
          """),
      ])
  }

  @Test(arguments: [
    RoomEvent.delivered(Sample.record(1), to: luke), .left(luke, .closedByUs),
    .gap(luke, missing: 5..<5), .closed(.closedByUs),
  ])
  func keepsSilentAbout(event: RoomEvent) {
    #expect(presenter.lines(for: event).isEmpty)
  }

  private static let hostile: [(RoomEvent, String)] = [
    (
      Sample.message(from: luke, "one\n* Luke has left\u{1B}[2J"),
      "Luke: one^J* Luke has left^[[2J"
    ),
    (Sample.message(from: luke, [0xFF, 0x41, 0xC2]), "Luke: \u{FFFD}A\u{FFFD}"),
    (Sample.message(from: luke, "\u{202E}evil\u{2028}"), "Luke: evil\\u{2028}"),
    (
      Sample.message(from: Sample.member("\u{1B}]0;x\u{7}\u{200B}"), "hi"),
      "^[]0;x^G\\u{200b}: hi"
    ),
    (
      Sample.message(from: Sample.member("דוד"), "שלום"),
      "\u{2068}דוד\u{2069}: \u{2068}שלום\u{2069}"
    ),
    (.joined(Sample.member("a\u{9B}b")), "* a\\u{9b}b has joined"),
    (.left(Sample.member("a\r"), .closedByThem), "* a^M has left"),
    (.gap(Sample.member("\u{85}"), missing: 0..<1), "(1 message from \\u{85} was lost)"),
    (Sample.plain("B\nb", "\u{7F}"), "B^Jb@192.0.2.7:40213 (plain): ^?"),
    (
      .undelivered(Sample.record(3), to: Sample.member("a\u{1B}"), .tooOld),
      "patter chat: line 3 may not have reached a^[: it was not acknowledged in time"
    ),
    (.closed(.failed("bad\u{1B}\n")), "patter chat: bad^[^J"),
  ]

  @Test(arguments: hostile)
  func makesHostileTextHarmless(event: RoomEvent, text: String) {
    #expect(presenter.lines(for: event).map(\.text) == [text])
  }

  @Test func saysOnStandardErrorWhoWeAreAndThatTheRoomIsOpen() {
    let ready = ReadyInformation(
      incarnation: Self.luke.incarnation, name: "Luke\u{1B}", room: "lan",
      addresses: [
        InterfaceAddress(SocketAddress(ip: IPAddress(192, 0, 2, 7), port: 28421), interface: "e0"),
        InterfaceAddress(
          SocketAddress(ip: IPAddress(ipv6High: 0xFE80 << 48, low: 1), port: 28421, scope: 2),
          interface: "e0"),
      ], port: 28421, sharedPort: 28420, groups: [])
    #expect(
      presenter.lines(ready: ready) == [
        .error("* You are Luke^[ in lan, an open room: all on this network can read it"),
        .error("* Listening at 192.0.2.7:28421, [fe80::1%e0]:28421"),
      ])
  }
}
