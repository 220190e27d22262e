import ChatRoom
import ChatTransport
import Primitives
import Testing

struct RoomOrderTests {
  /// Pulls what the transport of `person` has to tell, with the messages in an order of their own.
  func shuffledEvents(_ scene: inout Scene, _ person: Int, _ dice: inout Dice) -> [TransportEvent] {
    var messages: [TransportEvent] = []
    var others: [TransportEvent] = []
    while let event = scene.transports[person].nextEvent() {
      if case .message = event { messages.append(event) } else { others.append(event) }
    }
    return others + dice.shuffled(messages)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func linesAreShownInOrderInWhichOrderTheyCome(seed: UInt64) throws {
    var dice = Dice(seed)
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    let han = try scene.add("Han", incarnation(3))
    scene.run(luke)
    scene.run(leia)
    var said: [[String]] = [[], []]
    for number in 0..<40 {
      let person = [luke, leia][dice.number(below: 2)]
      said[person].append("\(person) \(number)")
      try scene.say(said[person].last ?? "", person)
    }
    // Also the greetings are among what is shuffled, and some of it comes twice.
    let events = shuffledEvents(&scene, han, &dice)
    for event in events {
      for _ in 0...dice.number(below: 2) {
        scene.rooms[han].handle(event, over: &scene.transports[han], at: scene.now)
      }
    }
    let shown = scene.events(han).texts
    for person in [luke, leia] {
      #expect(
        shown.filter { $0.hasPrefix("\(person) ") } == said[person], "seed \(seed)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func aGoodbyeThatOvertakesLinesWaitsForThem(seed: UInt64) throws {
    var dice = Dice(seed)
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    for number in 1...5 { try scene.say("\(number)", luke) }
    scene.leave(luke)
    let events = shuffledEvents(&scene, leia, &dice).sorted { left, _ in
      if case .message = left { true } else { false }
    }
    for event in events {
      scene.rooms[leia].handle(event, over: &scene.transports[leia], at: scene.now)
    }
    #expect(
      scene.events(leia).story
        == (1...5).map { "Luke: \($0)" } + ["-Luke closedByThem"], "seed \(seed)")
  }

  @Test func whoSaidGoodbyeDoesNotStayForLinesThatNeverCome() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    scene.forgetEvents()
    var bye = try record(.bye, by: incarnation(1), 2)
    bye.isUnreliable = false
    try scene.forge([2] + encoded(bye), from: luke)
    scene.settle()
    #expect(scene.events(leia) == [])
    #expect(scene.rooms[leia].deadline == scene.now + .seconds(1))
    scene.wait(.seconds(1))
    #expect(scene.events(leia).story == ["Luke lost 1..<3", "-Luke closedByThem"])
    #expect(scene.rooms[leia].deadline == nil)
    scene.network.sever(scene.transports[luke], scene.transports[leia])
    scene.settle()
    #expect(scene.events(leia) == [])
  }

  @Test func oneAuthorsMissingLineDoesNotHoldTheOthers() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(1))
    let leia = try scene.add("Leia", incarnation(2))
    let han = try scene.add("Han", incarnation(3))
    scene.forgetEvents()
    scene.network.hold(from: scene.transports[luke], to: scene.transports[han])
    try scene.say("first", luke)
    try scene.forge([2] + encoded(record(by: incarnation(1), 2, text: "second")), from: luke)
    try scene.say("other", leia)
    scene.settle()
    #expect(scene.events(han).texts == ["other"])
    scene.network.release(from: scene.transports[luke], to: scene.transports[han])
    scene.settle()
    #expect(scene.events(han).texts == ["first", "second"])
  }
}
