import ChatRoom
import ChatTransport
import Primitives
import Testing

/// Whatever a peer sends, the room neither traps nor forgets its limits, and others are heard.
struct RoomHostileTests {
  static func messages() throws -> [[UInt8]] {
    let author = incarnation(1)
    return [
      [1, 2] + encoded(try record(.iam, by: author, 3)),
      [2] + encoded(try record(by: author, 3)),
      [2] + encoded(try record(.bye, by: author, 3)),
      [3] + encoded(try record(by: author, 3))[11..<35] + [3, 4],
    ]
  }

  /// A room with a hostile and an honest peer.
  func scene() throws -> Scene {
    var scene = Scene()
    try scene.add(nil, incarnation(1), limits: InMemoryQueueLimits(messages: 1 << 20))
    try scene.add("Leia", incarnation(2))
    try scene.add("Han", incarnation(3))
    scene.forgetEvents()
    return scene
  }

  func expectHonestTalk(_ scene: inout Scene, _ context: String) throws {
    scene.wait(.seconds(2))
    _ = scene.events(1)
    try scene.say("still here", 2)
    scene.settle()
    #expect(scene.events(1).texts == ["still here"], "\(context)")
  }

  @Test(arguments: 0..<4)
  func everyPrefixAndEveryChangedByte(index: Int) throws {
    let message = try Self.messages()[index]
    var scene = try scene()
    for length in message.indices { try scene.forge(Array(message.prefix(length)), from: 0) }
    for place in message.indices {
      for bit in 0..<8 {
        var changed = message
        changed[place] ^= 1 << UInt8(bit)
        try scene.forge(changed, from: 0)
      }
    }
    try expectHonestTalk(&scene, "message \(index)")
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func randomConversations(seed: UInt64) throws {
    var dice = Dice(seed)
    var scene = try scene()
    let kinds = Record.Kind.allCases
    for _ in 0..<300 {
      let author = incarnation(
        UInt64(1 + dice.number(below: 5)), epoch: UInt64(dice.number(below: 3)))
      let sequence = max(1, dice.word() >> UInt64(2 + dice.number(below: 62)))
      let content = encoded(
        try record(
          kinds[dice.number(below: 3)], by: author, sequence, name: "N\(dice.number(below: 3))",
          room: dice.number(below: 20) == 0 ? "x" : "lan",
          isUnreliable: dice.number(below: 2) == 0))
      switch dice.number(below: 6) {
      case 0: try scene.forge([1, UInt8(dice.number(below: 64))] + content, from: 0)
      case 1: try scene.forge([3] + content[11..<35] + [1, UInt8(dice.number(below: 64))], from: 0)
      case 2: try scene.forge(dice.bytes(dice.number(below: 200)), from: 0)
      case 3:
        scene.settle()
        scene.now = scene.now + .milliseconds(Int64(dice.number(below: 200)))
        if dice.number(below: 4) == 0 {
          scene.network.sever(scene.transports[0], scene.transports[1])
          scene.network.connect(scene.transports[0], scene.transports[1])
        }
      default: try scene.forge([2] + content, from: 0)
      }
    }
    try expectHonestTalk(&scene, "seed \(seed)")
    scene.network.sever(scene.transports[0], scene.transports[1])
    scene.settle()
    // Each has joined and left in turn, and nobody is left of those that only the hostile peer
    // spoke for.
    #expect(scene.rooms[1].members.map(\.incarnation) == [incarnation(3)], "seed \(seed)")
    #expect(scene.rooms[1].deadline == nil)
  }
}
