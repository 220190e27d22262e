import ChatCodec
import ChatRoom
import ChatTransport
import Primitives
import Testing

struct RoomConversationTests {
  static let transports: [TransportCapabilities] = [.everything, .orderedStream]

  @Test(arguments: transports)
  func peopleMeetTalkAndLeave(capabilities: TransportCapabilities) throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(2), over: capabilities)
    let leia = try scene.add("Leia", incarnation(1), over: capabilities)
    scene.settle()
    #expect(scene.events(luke).story == ["+Leia"])
    #expect(scene.events(leia).story == ["+Luke"])

    try scene.say("Hey, how goes it, man?", luke)
    try scene.say("", leia)
    scene.settle()
    #expect(scene.events(luke).story == ["Leia: "])
    #expect(scene.events(leia).story == ["Luke: Hey, how goes it, man?"])

    let han = try scene.add("Han", incarnation(3), over: capabilities)
    scene.settle()
    #expect(scene.rooms[han].members.map(\.name) == ["Leia", "Luke"])
    scene.forgetEvents()

    scene.leave(leia)
    scene.settle()
    #expect(scene.events(luke).story == ["-Leia closedByThem"])
    #expect(scene.events(han).story == ["-Leia closedByThem"])
    #expect(
      scene.events(leia).story == ["-Luke closedByUs", "-Han closedByUs", "closed"])
    #expect(scene.rooms[luke].members.map(\.name) == ["Han"])
  }

  @Test func leavingWaitsUntilTheGoodbyeIsHeld() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    scene.leave(luke)
    scene.run(luke)
    #expect(scene.events(luke) == [])
    scene.run(leia)
    #expect(scene.events(leia).story == ["-Luke closedByThem"])
    scene.run(luke)
    #expect(scene.events(luke).story == ["-Leia closedByUs", "closed"])
    #expect(scene.rooms[luke].deadline == nil)
  }

  @Test func leavingDoesNotWaitForLong() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    try scene.add("Leia", incarnation(2))
    try scene.add("Han", incarnation(3))
    scene.forgetEvents()
    scene.network.hold(from: scene.transports[luke], to: scene.transports[1])
    scene.leave(luke)
    scene.settle()
    #expect(scene.rooms[luke].deadline == scene.now + .milliseconds(500))
    scene.wait(.milliseconds(499))
    #expect(scene.events(luke) == [])
    scene.wait(.milliseconds(1))
    #expect(scene.events(luke).story == ["-Leia closedByUs", "-Han closedByUs", "closed"])
  }

  @Test func leavingTwiceEndsAtOnce() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    scene.leave(luke)
    scene.leave(luke)
    scene.run(luke)
    #expect(scene.events(luke).story == ["-Leia closedByUs", "closed"])
  }

  @Test func leavingDoesNotWaitForWhoLeavesToo() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    scene.leave(luke)
    scene.network.sever(scene.transports[luke], scene.transports[leia])
    scene.run(luke)
    #expect(scene.events(luke).story == ["-Leia timedOut", "closed"])
  }

  @Test func aMemberIsDescribed() throws {
    var scene = Scene()
    let luke = try scene.add("  Luke ", incarnation(2))
    let leia = try scene.add("Leia", incarnation(1))
    scene.settle()
    let peer = try #require(
      scene.network.peerID(of: scene.transports[luke], at: scene.transports[leia]))
    #expect(
      scene.rooms[leia].members == [
        Member(incarnation: incarnation(2), name: "Luke", displayName: "Luke", peer: peer)
      ])
  }

  @Test(arguments: [
    "iam:Leia", "msg:", "a:b\nmsg:c\r\n", "Leia has left", "\u{2028}", "\0", "naïve 🙂",
  ])
  func aTextComesBackByteForByte(text: String) throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    let id = try scene.say(text, luke)
    scene.settle()
    let events = scene.events(leia)
    let message = events.compactMap {
      if case .message(let message) = $0 { message } else { nil }
    }.first
    #expect(message?.bytes == Array(text.utf8))
    #expect(message?.id == id)
    #expect(id == RecordID(author: incarnation(1), sequence: 1))
    #expect(message?.delivery == .reliable)
  }

  @Test func bytesThatAreNoTextComeBackToo() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    _ = try scene.rooms[luke].say([0xFF, 0xC0], over: &scene.transports[luke], at: scene.now)
    scene.settle()
    #expect(scene.events(leia).texts == ["\u{FFFD}\u{FFFD}"])
  }

  @Test func aLineIsReportedAsDelivered() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    let id = try scene.say("held?", luke)
    #expect(scene.rooms[luke].unacknowledged == 1)
    #expect(!scene.rooms[luke].isQuiet)
    scene.run(leia)
    scene.run(luke)
    #expect(scene.events(luke) == [.delivered(id, to: scene.rooms[luke].members[0])])
    #expect(scene.rooms[luke].isQuiet)
  }

  @Test func aLineThatIsCutOffIsReportedAsUndelivered() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    scene.network.hold(from: scene.transports[luke], to: scene.transports[leia])
    let id = try scene.say("held?", luke)
    let member = scene.rooms[luke].members[0]
    scene.network.sever(scene.transports[luke], scene.transports[leia])
    scene.settle()
    #expect(
      scene.events(luke) == [
        .undelivered(id, to: member, .connectionEnded), .left(member, .timedOut),
      ])
    #expect(scene.rooms[luke].unacknowledged == 0)
    #expect(scene.events(leia).story == ["-Luke timedOut"])
  }

  @Test func somebodyWhoDoesNotJoinSeesAndIsNotSeen() throws {
    var scene = Scene()
    let observer = try scene.add(nil, incarnation(9))
    let luke = try scene.add("Luke", incarnation(1))
    try scene.say("anybody?", luke)
    scene.settle()
    #expect(scene.events(observer).story == ["+Luke", "Luke: anybody?"])
    #expect(scene.rooms[luke].members.isEmpty)
    #expect(scene.rooms[luke].isQuiet)
    #expect(throws: SayError.notJoined) { try scene.say("x", observer) }
    try scene.rooms[observer].join(
      as: "Leia", over: &scene.transports[observer], at: scene.now)
    scene.settle()
    #expect(scene.events(luke).story == ["+Leia"])
  }

  @Test func joiningIsRefusedWithAReason() throws {
    var scene = Scene()
    let luke = try scene.add(nil, incarnation(1))
    func join(_ name: String, _ scene: inout Scene) throws(JoinError) {
      try scene.rooms[luke].join(as: name, over: &scene.transports[luke], at: scene.now)
    }
    #expect(throws: JoinError.invalidName(.empty)) { try join(" ", &scene) }
    try join("Luke", &scene)
    #expect(throws: JoinError.alreadyJoined) { try join("Luke", &scene) }
    scene.leave(luke)
    #expect(throws: JoinError.ended) { try join("Luke", &scene) }
    #expect(throws: SayError.notJoined) { try scene.say("x", luke) }
  }

  @Test func aTransportThatCannotCarryARoomIsRefused() {
    var scene = Scene()
    let narrow = TransportCapabilities(
      deliveries: [.ordered], maximumMessageSize: 100, channelCount: 1, numbersMessages: false,
      acknowledgesMessages: false, supportsMaximumAge: false)
    #expect(throws: JoinError.transport(.noSuchChannel(1, count: 1))) {
      try scene.add("Luke", incarnation(1), over: narrow)
    }
    let lossy = TransportCapabilities(
      deliveries: [.unreliable], maximumMessageSize: 100, channelCount: 2, numbersMessages: false,
      acknowledgesMessages: false, supportsMaximumAge: false)
    #expect(throws: JoinError.transport(.unsupportedDelivery(.reliable))) {
      try scene.add("Luke", incarnation(1), over: lossy)
    }
  }

  @Test(arguments: [1_150, 200, 20_000, 65_536, 1 << 20])
  func theLongestTextFitsAndOneByteMoreDoesNot(size: Int) throws {
    var scene = Scene()
    var capabilities = TransportCapabilities.everything
    capabilities.maximumMessageSize = size
    let limits = InMemoryQueueLimits(bytes: 1 << 22)
    let luke = try scene.add("Luke", incarnation(1), over: capabilities, limits: limits)
    let leia = try scene.add("Leia", incarnation(2), over: capabilities, limits: limits)
    scene.forgetEvents()
    let limit = try #require(scene.rooms[luke].textLimit(over: capabilities))
    // Whatever the transport can carry, a line fits into one datagram.
    #expect((min(size, 1_175) - 80..<1_175).contains(limit))
    #expect(throws: SayError.tooLong(size: limit + 1, limit: limit)) {
      try scene.say(String(repeating: "x", count: limit + 1), luke)
    }
    #expect(try scene.say(String(repeating: "x", count: limit), luke).sequence == 1)
    scene.settle()
    #expect(scene.events(leia).texts.map(\.count) == [limit])
  }

  @Test func otherRoomsAreIgnored() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2), .init(room: "tatooine"))
    scene.settle()
    try scene.say("hello?", leia)
    scene.settle()
    #expect(scene.events(luke) == [])
    #expect(scene.rooms[luke].members.isEmpty)
    #expect(scene.rooms[luke].counters.otherRoom == 2)
  }

  @Test func theWholeRunRepeatsExactly() throws {
    func run() throws -> [[RoomEvent]] {
      var scene = Scene()
      for number in 1...6 { try scene.add("Luke", incarnation(UInt64(number * 37 % 11))) }
      for person in 0..<6 { try scene.say("from \(person)", person) }
      scene.settle()
      scene.leave(3)
      scene.settle()
      return (0..<6).map { scene.events($0) }
    }
    #expect(try run() == run())
  }
}
