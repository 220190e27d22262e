import ChatRoom
import ChatTransport
import Primitives
import Testing

struct RoomRecentTests {
  @Test(arguments: RoomConversationTests.transports)
  func whatWasJustSaidReachesWhoAppears(capabilities: TransportCapabilities) throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1), over: capabilities)
    try scene.say("too early", luke)
    scene.wait(.seconds(3))
    try scene.say("early", luke)
    scene.wait(.milliseconds(2_999))
    let leia = try scene.add("Leia", incarnation(2), over: capabilities)
    try scene.say("late", luke)
    scene.settle()
    #expect(scene.events(leia).story == ["+Luke", "Luke: early", "Luke: late"])
    #expect(scene.rooms[luke].isQuiet)
  }

  @Test func whoWasThereDoesNotHearItTwice() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    scene.settle()
    try scene.say("once", luke)
    let han = try scene.add("Han", incarnation(3))
    scene.settle()
    #expect(scene.events(leia).texts == ["once"])
    #expect(scene.events(han).texts == ["once"])
    #expect(scene.rooms[leia].counters == RoomCounters())
  }

  @Test func aLineSaidBeforeThePeerIsNoticedIsShownOnce() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    // The transport knows of Leia, and the room does not yet: the line goes to her before the
    // greeting, and once more with it.
    try scene.say("hello", luke)
    scene.settle()
    #expect(scene.events(leia).story == ["+Luke", "Luke: hello"])
    #expect(scene.rooms[leia].counters.duplicates == 1)
    #expect(scene.rooms[luke].isQuiet)
  }

  @Test func recentLinesAreBounded() throws {
    var scene = Scene()
    var configuration = ChatRoom.Configuration()
    configuration.recentLineLimit = 3
    let luke = try scene.add("Luke", incarnation(1), configuration)
    for number in 1...5 { try scene.say("\(number)", luke) }
    let leia = try scene.add("Leia", incarnation(2))
    scene.settle()
    #expect(scene.events(leia).texts == ["3", "4", "5"])
    configuration.recentByteLimit = 100
    let han = try scene.add("Han", incarnation(3), configuration)
    try scene.say(String(repeating: "x", count: 60), han)
    let lando = try scene.add("Lando", incarnation(4))
    scene.settle()
    #expect(!scene.events(lando).texts.contains { $0.hasPrefix("x") })
  }

  @Test func recentLinesAreReportedAsDelivered() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let id = try scene.say("early", luke)
    scene.wait(.seconds(1))
    try scene.add("Leia", incarnation(2))
    scene.settle()
    #expect(scene.events(luke).contains(.delivered(id, to: scene.rooms[luke].members[0])))
  }

  @Test func aFullQueueOnlyDelaysGreetingAndLines() throws {
    var scene = Scene()
    let limits = InMemoryQueueLimits(messages: 2)
    let luke = try scene.add("Luke", incarnation(1), limits: limits)
    for number in 1...5 { try scene.say("\(number)", luke) }
    let leia = try scene.add("Leia", incarnation(2))
    scene.run(luke)
    #expect(!scene.rooms[luke].isQuiet)
    scene.wait(.seconds(4))
    scene.settle()
    #expect(scene.events(leia).story == ["+Luke"] + (1...5).map { "Luke: \($0)" })
    #expect(scene.rooms[luke].isQuiet)
  }
}
