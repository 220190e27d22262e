import ChatRoom
import ChatTransport
import Primitives
import Testing

struct RoomUnreliableTests {
  static let unreliable = ChatRoom.Configuration(delivery: .unreliable)

  @Test func lostLinesAreToldFromTheNumbers() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1), Self.unreliable)
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    try scene.say("1", luke)
    scene.network.dropNext(2, from: scene.transports[luke], to: scene.transports[leia])
    for text in ["2", "3", "4"] { try scene.say(text, luke) }
    scene.settle()
    #expect(scene.events(leia).story == ["Luke: 1", "Luke: 4"])
    #expect(scene.rooms[leia].deadline == scene.now + .milliseconds(100))
    scene.wait(.milliseconds(100))
    #expect(scene.events(leia).story == ["Luke lost 2..<4"])
    #expect(scene.rooms[luke].unacknowledged == 0)
  }

  @Test func theGoodbyeShowsThatTheLastLinesWereLost() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1), Self.unreliable)
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    scene.network.dropNext(3, from: scene.transports[luke], to: scene.transports[leia])
    for text in ["1", "2", "3"] { try scene.say(text, luke) }
    scene.leave(luke)
    scene.settle()
    #expect(scene.events(leia).story == ["Luke lost 1..<4", "-Luke closedByThem"])
  }

  /// Messages are lost, doubled, delayed and reordered: what is shown and what is told as missing
  /// are together what was said, up to the last line that came.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func everyLineIsShownOrCounted(seed: UInt64) throws {
    var dice = Dice(seed)
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1), Self.unreliable)
    let leia = try scene.add("Leia", incarnation(2), Self.unreliable)
    scene.forgetEvents()
    var onTheWay: [(due: Instant, TransportEvent)] = []
    var events: [RoomEvent] = []
    var lastArrived = 0
    for number in 1...100 {
      try scene.say("\(number)", luke)
      while let event = scene.transports[leia].nextEvent() {
        for _ in 0...dice.number(below: 2) where dice.number(below: 3) > 0 {
          let delay = Interval.milliseconds(Int64(dice.number(below: 300)))
          onTheWay.append((scene.now + delay, event))
        }
        if onTheWay.contains(where: { $0.1 == event }) { lastArrived = number }
      }
      scene.now = scene.now + .milliseconds(10)
      for (_, event) in onTheWay.filter({ $0.due <= scene.now }) {
        scene.rooms[leia].handle(event, over: &scene.transports[leia], at: scene.now)
      }
      onTheWay.removeAll { $0.due <= scene.now }
      scene.rooms[leia].advance(over: &scene.transports[leia], at: scene.now)
      events += scene.events(leia)
    }
    for (_, event) in dice.shuffled(onTheWay) {
      scene.rooms[leia].handle(event, over: &scene.transports[leia], at: scene.now)
    }
    scene.wait(.milliseconds(100))
    events += scene.events(leia)
    #expect(Set(events.texts).count == events.texts.count, "seed \(seed)")
    #expect(events.texts.count + events.missingCount == lastArrived, "seed \(seed)")
    #expect(scene.rooms[leia].deadline == nil)
  }

  @Test func eachAuthorHasHisOwnDelivery() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1), Self.unreliable)
    let leia = try scene.add("Leia", incarnation(2))
    let han = try scene.add("Han", incarnation(3))
    scene.forgetEvents()
    for person in [luke, leia] {
      scene.network.dropNext(1, from: scene.transports[person], to: scene.transports[han])
      try scene.say("a", person)
      try scene.say("b", person)
    }
    scene.settle()
    scene.wait(.milliseconds(100))
    #expect(
      scene.events(han).story == ["Luke: b", "Leia: a", "Leia: b", "Luke lost 1..<2"])
  }

  @Test func overAnOrderedStreamNothingIsLost() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1), Self.unreliable, over: .orderedStream)
    let leia = try scene.add("Leia", incarnation(2), Self.unreliable, over: .orderedStream)
    scene.forgetEvents()
    scene.network.dropNext(5, from: scene.transports[luke], to: scene.transports[leia])
    try scene.say("kept", luke)
    scene.settle()
    #expect(scene.events(leia).story == ["Luke: kept"])
  }
}
