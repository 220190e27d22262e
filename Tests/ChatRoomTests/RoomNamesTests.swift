import ChatRoom
import ChatTransport
import Testing

struct RoomNamesTests {
  @Test func oneselfAndWhoCameFirstKeepTheName() throws {
    var scene = Scene()
    let first = try scene.add("Luke", incarnation(0xAAAA))
    let second = try scene.add("luke", incarnation(0xBBBB))
    let observer = try scene.add(nil, incarnation(1))
    scene.settle()
    #expect(scene.rooms[first].ownDisplayName == "Luke")
    #expect(scene.rooms[first].members.map(\.displayName) == ["luke#bbbb"])
    #expect(scene.rooms[second].members.map(\.displayName) == ["Luke#aaaa"])
    #expect(scene.rooms[observer].members.map(\.displayName) == ["Luke", "luke#bbbb"])
    #expect(scene.rooms[observer].ownDisplayName == nil)
    scene.leave(first)
    scene.settle()
    #expect(scene.rooms[observer].members.map(\.displayName) == ["luke"])
  }

  @Test func aNameWithASignOfItsOwnGetsOneMore() throws {
    var scene = Scene()
    let poser = try scene.add("Luke#bbbb", incarnation(0xCCCC))
    let other = try scene.add("Leia", incarnation(0xBBBB))
    scene.settle()
    #expect(scene.rooms[other].members.map(\.displayName) == ["Luke#bbbb#cccc"])
    #expect(scene.rooms[poser].ownDisplayName == "Luke#bbbb#cccc")
  }

  @Test func eventsCarryTheDisplayName() throws {
    var scene = Scene()
    let luke = try scene.add("Luke", incarnation(0xAAAA))
    let other = try scene.add("Luke", incarnation(0xBBBB))
    try scene.say("I am here", other)
    scene.settle()
    scene.leave(other)
    scene.settle()
    #expect(
      scene.events(luke).story == [
        "+Luke#bbbb", "Luke#bbbb: I am here", "-Luke#bbbb closedByThem",
      ])
  }
}
