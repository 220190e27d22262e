import ChatRoom
import ChatTransport
import Primitives
import Testing

struct RoomPlainTests {
  func path(_ port: UInt16) -> Path {
    Path(remote: SocketAddress(ip: IPAddress(192, 0, 2, 1), port: port))
  }

  func hear(_ text: String, _ port: UInt16, at scene: inout Scene) {
    scene.network.hear(
      PlainMessage(path: path(port), payload: Array(text.utf8)), at: scene.transports[0])
    scene.settle()
  }

  @Test func aPlainLineIsHeardWithItsAddress() throws {
    var scene = Scene()
    try scene.add("Leia", incarnation(1))
    hear("msg:hi\n", 9, at: &scene)
    #expect(
      scene.events(0) == [.plain(PlainLine(path: path(9), name: nil, bytes: Array("hi".utf8)))])
  }

  @Test func anAddressKeepsTheNameItGaveItself() throws {
    var scene = Scene()
    try scene.add("Leia", incarnation(1))
    hear("iam:Wedge\n", 9, at: &scene)
    hear("msg:one", 9, at: &scene)
    hear("iam:Biggs", 9, at: &scene)
    hear("msg:two", 9, at: &scene)
    hear("msg:three", 10, at: &scene)
    #expect(
      scene.events(0).story == ["plain Wedge: one", "plain Biggs: two", "plain ?: three"])
    #expect(scene.rooms[0].members.isEmpty)
  }

  @Test func namesOfAddressesAreBounded() throws {
    var scene = Scene()
    try scene.add("Leia", incarnation(1))
    for port in 1...65 as ClosedRange<UInt16> { hear("iam:P\(port)", port, at: &scene) }
    hear("msg:x", 1, at: &scene)
    hear("msg:x", 2, at: &scene)
    #expect(scene.events(0).story == ["plain ?: x", "plain P2: x"])
  }

  @Test func otherRoomsHearNothingPlain() throws {
    var scene = Scene()
    try scene.add("Leia", incarnation(1), .init(room: "hoth"))
    hear("msg:hi", 9, at: &scene)
    #expect(scene.events(0) == [])
    #expect(scene.rooms[0].counters.otherRoom == 1)
  }

  @Test(arguments: ["", "msg", "iam:", "MSG:x", "hello:x", "iam:\u{7}"])
  func whatIsNoFrameIsCounted(text: String) throws {
    var scene = Scene()
    try scene.add("Leia", incarnation(1))
    hear(text, 9, at: &scene)
    #expect(scene.events(0) == [])
    #expect(scene.rooms[0].counters.malformed == 1)
  }
}
