import ChatRoom
import ChatTransport
import Primitives
import Testing

struct RoomReturnTests {
  /// Two people who have met, and of whom the first has said three lines.
  func acquainted() throws -> Scene {
    var scene = Scene()
    try scene.add("Luke", incarnation(1))
    try scene.add("Leia", incarnation(2))
    scene.settle()
    for text in ["1", "2", "3"] { try scene.say(text, 0) }
    scene.forgetEvents()
    return scene
  }

  func reconnect(_ scene: inout Scene) {
    scene.network.connect(scene.transports[0], scene.transports[1])
    scene.settle()
  }

  @Test func linesDoNotShowTwiceAfterAReconnect() throws {
    var scene = try acquainted()
    scene.network.sever(scene.transports[0], scene.transports[1])
    reconnect(&scene)
    // The three lines are recent, and so they were sent once more.
    #expect(scene.events(1).story == ["-Luke timedOut", "+Luke"])
    #expect(scene.rooms[1].counters.duplicates == 3)
    try scene.say("4", 0)
    scene.settle()
    #expect(scene.events(1).story == ["Luke: 4"])
  }

  @Test func whatWasSaidMeanwhileIsToldAsMissing() throws {
    var scene = try acquainted()
    scene.network.sever(scene.transports[0], scene.transports[1])
    scene.settle()
    try scene.say("4", 0)
    try scene.say("5", 0)
    scene.wait(.seconds(3))
    try scene.say("6", 0)
    reconnect(&scene)
    #expect(
      scene.events(1).story == ["-Luke timedOut", "+Luke", "Luke lost 4..<6", "Luke: 6"])
  }

  @Test func aNewConnectionTakesThePlaceOfTheOldWithoutAWord() throws {
    var scene = try acquainted()
    // The transport tells of the new connection of the same life before the end of the old one.
    let old = scene.rooms[1].members[0].peer
    let new = PeerID(rawValue: 50)
    let information = PeerInformation(incarnation: incarnation(1))
    func tell(_ event: TransportEvent, _ scene: inout Scene) {
      scene.rooms[1].handle(event, over: &scene.transports[1], at: scene.now)
    }
    func message(_ payload: [UInt8], _ peer: PeerID) -> TransportEvent {
      .message(ReceivedMessage(peer: peer, channel: 1, delivery: .reliable, payload: payload))
    }
    tell(.peerJoined(new, information), &scene)
    tell(message([1, 5] + encoded(try record(.iam, by: incarnation(1), 6)), new), &scene)
    tell(message([2] + encoded(try record(by: incarnation(1), 6, text: "6")), new), &scene)
    tell(message([2] + encoded(try record(by: incarnation(1), 4, text: "4")), old), &scene)
    tell(message([2] + encoded(try record(.bye, by: incarnation(1), 6)), old), &scene)
    tell(.peerLeft(old, .replaced), &scene)
    #expect(scene.rooms[1].members.map(\.peer) == [new])
    #expect(scene.events(1).story == ["Luke: 4"])
    scene.now = scene.now + .milliseconds(100)
    scene.rooms[1].advance(over: &scene.transports[1], at: scene.now)
    #expect(scene.events(1).story == ["Luke lost 5..<6", "Luke: 6"])
  }

  @Test func aRestartReplacesTheOldLife() throws {
    var scene = try acquainted()
    let again = try scene.add("Luke", incarnation(1, epoch: 2))
    scene.settle()
    #expect(scene.events(1).story == ["-Luke replaced", "+Luke"])
    try scene.say("new life", again)
    try scene.say("old life", 0)
    scene.settle()
    #expect(scene.events(1).story == ["Luke: new life"])
    #expect(scene.rooms[1].counters.stale == 1)
    #expect(scene.rooms[1].members.map(\.incarnation) == [incarnation(1, epoch: 2)])
    scene.network.sever(scene.transports[0], scene.transports[1])
    scene.settle()
    #expect(scene.events(1) == [])
  }

  @Test func anEarlierLifeIsRefusedAfterItsSuccessorLeft() throws {
    var scene = Scene()
    let new = try scene.add("Luke", incarnation(1, epoch: 2))
    let leia = try scene.add("Leia", incarnation(2))
    scene.settle()
    scene.leave(new)
    scene.forgetEvents()
    try scene.add("Luke", incarnation(1, epoch: 1))
    scene.settle()
    #expect(scene.events(leia) == [])
    #expect(scene.rooms[leia].counters.stale == 1)
  }

  @Test func ourOwnRecordsAreIgnored() throws {
    var scene = try acquainted()
    try scene.forge([1, 0] + encoded(try record(.iam, by: incarnation(2), 0)), from: 0)
    try scene.forge([2] + encoded(try record(by: incarnation(2), 9)), from: 0)
    scene.settle()
    #expect(scene.events(1) == [])
    #expect(scene.rooms[1].counters.reflected == 2)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func nobodyTakesThePlaceOfSomebodyWhoIsHere(epoch: UInt64) throws {
    var scene = try acquainted()
    let han = try scene.add("Han", incarnation(3))
    scene.forgetEvents()
    let luke = incarnation(1, epoch: epoch)
    try scene.forge([1, 0] + encoded(try record(.iam, by: luke, 0)), from: han)
    try scene.forge([2] + encoded(try record(by: luke, 4, text: "false")), from: han)
    try scene.forge([2] + encoded(try record(.bye, by: luke, 3)), from: han)
    scene.settle()
    #expect(scene.events(1) == [])
    #expect(scene.rooms[1].counters.impersonated == 1)
    #expect(scene.rooms[1].members.map(\.incarnation) == [incarnation(1), incarnation(3)])
  }

  @Test func manyMembersShareARelayAndLeaveWithIt() throws {
    var scene = Scene()
    let relay = try scene.add(nil, incarnation(100))
    let leia = try scene.add("Leia", incarnation(2))
    scene.settle()
    for number in [11, 12] as [UInt64] {
      let person = incarnation(number)
      try scene.forge(
        [1, 0] + encoded(try record(.iam, by: person, 0, name: "P\(number)")), from: relay)
      try scene.forge([2] + encoded(try record(by: person, 1, name: "P\(number)")), from: relay)
    }
    scene.settle()
    #expect(scene.events(leia).story == ["+P11", "P11: Hey", "+P12", "P12: Hey"])
    scene.network.sever(scene.transports[relay], scene.transports[leia])
    scene.settle()
    #expect(scene.events(leia).story == ["-P11 timedOut", "-P12 timedOut"])
  }
}
