import ChatRoom
import ChatTransport
import Primitives
import Testing

struct RoomLimitsTests {
  @Test func aLineThatAPeerCannotTakeIsToldOnBothSides() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1), limits: InMemoryQueueLimits(messages: 4))
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    for number in 1...6 { try scene.say("\(number)", luke) }
    let member = scene.rooms[luke].members[0]
    scene.run(luke)
    #expect(
      scene.events(luke)
        == [5, 6].map {
          .undelivered(RecordID(author: incarnation(1), sequence: $0), to: member, .queueFull)
        })
    scene.settle()
    try scene.say("7", luke)
    scene.settle()
    #expect(
      scene.events(leia).story
        == (1...4).map { "Luke: \($0)" } + ["Luke lost 5..<7", "Luke: 7"])
    #expect(scene.rooms[luke].isQuiet)
  }

  @Test func aRefusalIsToldOverAStreamToo() throws {
    var scene = Scene()
    let luke = try scene.add(
      "Luke", incarnation(1), over: .orderedStream, limits: InMemoryQueueLimits(messages: 2))
    let leia = try scene.add("Leia", incarnation(2), over: .orderedStream)
    scene.forgetEvents()
    for number in 1...3 { try scene.say("\(number)", luke) }
    scene.settle()
    try scene.say("4", luke)
    scene.settle()
    #expect(
      scene.events(leia).story == ["Luke: 1", "Luke: 2", "Luke lost 3..<4", "Luke: 4"])
    #expect(scene.rooms[luke].isQuiet)
  }

  @Test func aLineThatWasGivenUpIsToldToThePeer() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    let peer = scene.rooms[luke].members[0].peer
    scene.network.hold(from: scene.transports[luke], to: scene.transports[leia])
    try scene.say("1", luke)
    // The first message of this transport was the greeting.
    scene.rooms[luke].handle(
      .givenUp(MessageID(rawValue: 2), to: peer, .tooOld), over: &scene.transports[luke],
      at: scene.now)
    scene.network.release(from: scene.transports[luke], to: scene.transports[leia])
    var kinds: [UInt8] = []
    while let event = scene.transports[leia].nextEvent() {
      if case .message(let message) = event { kinds += message.payload.prefix(1) }
    }
    #expect(kinds == [2, 3])
    #expect(scene.rooms[luke].isQuiet)
  }

  @Test func ofAPeerThatLeftNothingIsAwaited() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    let peer = scene.rooms[luke].members[0].peer
    try scene.say("1", luke)
    #expect(!scene.rooms[luke].isQuiet)
    scene.rooms[luke].handle(
      .peerLeft(peer, .timedOut), over: &scene.transports[luke], at: scene.now)
    #expect(scene.rooms[luke].isQuiet)
  }

  @Test func linesThatWaitAreBounded() throws {
    var scene = Scene()
    var configuration = ChatRoom.Configuration()
    configuration.heldLineLimit = 10
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2), configuration)
    scene.forgetEvents()
    for sequence in 2...12 as ClosedRange<UInt64> {
      try scene.forge([2] + encoded(record(by: incarnation(1), sequence)), from: luke)
    }
    scene.settle()
    let events = scene.events(leia)
    #expect(events.story.first == "Luke lost 1..<2")
    #expect(events.texts.count == 11)
  }

  @Test func whatAllTogetherKeepWaitingIsBounded() throws {
    var scene = Scene()
    var configuration = ChatRoom.Configuration()
    configuration.totalHeldByteLimit = 1_000
    let leia = try scene.add("Leia", incarnation(100), configuration)
    for number in 1...4 as ClosedRange<UInt64> { try scene.add("P\(number)", incarnation(number)) }
    scene.forgetEvents()
    for person in 1...4 {
      let line = try record(
        by: incarnation(UInt64(person)), 2, text: String(repeating: "x", count: 300))
      try scene.forge([2] + encoded(line), from: person)
    }
    scene.settle()
    #expect(scene.events(leia).missingCount == 2)
  }

  @Test func whatWaitsForAGreetingIsBounded() throws {
    var scene = Scene()
    var configuration = ChatRoom.Configuration()
    configuration.waitingLineLimit = 3
    configuration.waitingAuthorLimit = 1
    let leia = try scene.add("Leia", incarnation(2), configuration)
    let relay = try scene.add(nil, incarnation(100))
    for sequence in 1...5 as ClosedRange<UInt64> {
      try scene.forge([2] + encoded(record(by: incarnation(1), sequence)), from: relay)
    }
    try scene.forge([2] + encoded(record(by: incarnation(3), 1)), from: relay)
    scene.settle()
    #expect(scene.events(leia) == [])
    #expect(scene.rooms[leia].counters.overWaitingLimit == 3)
    try scene.forge([1, 0] + encoded(record(.iam, by: incarnation(1), 5)), from: relay)
    scene.settle()
    #expect(
      scene.events(leia).story
        == ["+Luke", "Luke lost 1..<3"] + (3...5).map { _ in "Luke: Hey" })
  }

  @Test func aGoodbyeMayComeBeforeTheGreeting() throws {
    var scene = Scene()
    let leia = try scene.add("Leia", incarnation(2))
    let relay = try scene.add(nil, incarnation(100))
    try scene.forge([2] + encoded(record(.bye, by: incarnation(1), 1)), from: relay)
    try scene.forge([2] + encoded(record(by: incarnation(1), 1)), from: relay)
    try scene.forge([1, 0] + encoded(record(.iam, by: incarnation(1), 0)), from: relay)
    scene.settle()
    #expect(scene.events(leia).story == ["+Luke", "Luke: Hey", "-Luke closedByThem"])
  }

  @Test func membersAreBounded() throws {
    var scene = Scene()
    var configuration = ChatRoom.Configuration()
    configuration.memberLimit = 4
    configuration.memberLimitPerPeer = 3
    let leia = try scene.add("Leia", incarnation(99), configuration)
    for relay in 0..<2 as Range<UInt64> {
      let person = try scene.add(nil, incarnation(100 + relay))
      for number in 1...5 as ClosedRange<UInt64> {
        let author = incarnation(relay * 10 + number)
        try scene.forge([1, 0] + encoded(record(.iam, by: author, 0)), from: person)
      }
    }
    scene.settle()
    #expect(scene.rooms[leia].members.count == 4)
    #expect(scene.rooms[leia].counters.overMemberLimit == 6)
  }

  @Test func thoseWhoLeftAreForgottenInTime() throws {
    var scene = Scene()
    var configuration = ChatRoom.Configuration()
    configuration.absentLimit = 2
    let leia = try scene.add("Leia", incarnation(99), configuration)
    let relay = try scene.add(nil, incarnation(100))
    for number in 1...3 as ClosedRange<UInt64> {
      let author = incarnation(number)
      try scene.forge([1, 0] + encoded(record(.iam, by: author, 0)), from: relay)
      try scene.forge([2] + encoded(record(by: author, 1)), from: relay)
      try scene.forge([2] + encoded(record(.bye, by: author, 1)), from: relay)
    }
    scene.forgetEvents()
    // The line of the first shows again, for he is forgotten, and that of the second does not.
    for number in 1...2 as ClosedRange<UInt64> {
      let author = incarnation(number)
      try scene.forge([1, 0] + encoded(record(.iam, by: author, 1)), from: relay)
      try scene.forge([2] + encoded(record(by: author, 1)), from: relay)
    }
    scene.settle()
    #expect(scene.events(leia).story == ["+Luke", "Luke: Hey", "+Luke#0002"])
  }

  @Test func otherChannelsAndStrangersAreCounted() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    try scene.forge([1, 2, 3], from: luke, channel: 2)
    try scene.forge([1, 2, 3], from: luke)
    scene.settle()
    let stranger = ReceivedMessage(
      peer: PeerID(rawValue: 77), channel: 1, delivery: .reliable, payload: [2])
    scene.rooms[leia].handle(.message(stranger), over: &scene.transports[leia], at: scene.now)
    #expect(scene.rooms[leia].counters.otherChannel == 1)
    #expect(scene.rooms[leia].counters.malformed == 1)
    #expect(scene.rooms[leia].counters.unknownPeer == 1)
    #expect(scene.events(leia) == [])
  }
}
