import ChatRoom
import ChatTransport
import PeerDiscovery
import Primitives
import SocketDriver
import Testing
import UDPTransport

extension UDPTransportTests {
  /// The room over the asynchronous face.
  @Suite struct Session {
    @Test func peopleMeetTalkAndLeave() async throws {
      let place = try ChatPlace()
      let luke = try place.person()
      let leia = try place.person()
      try await luke.session.join(as: "Luke")
      try await leia.session.join(as: "Leia")
      await luke.listener.wait(for: "Leia") { $0.joined == ["Leia"] }
      await leia.listener.wait(for: "Luke") { $0.joined == ["Luke"] }
      #expect(await luke.session.members.map(\.name) == ["Leia"])
      let id = try await luke.session.say("Hey, how goes it, man?")
      await leia.listener.wait(for: "the line") { $0.texts == ["Hey, how goes it, man?"] }
      await luke.listener.wait(for: "the receipt") { events in
        events.contains {
          if case .delivered(id, let member) = $0 { member.name == "Leia" } else { false }
        }
      }
      #expect(await luke.session.unacknowledged == 0)
      await luke.session.leave()
      await leia.listener.wait(for: "the leaving") { $0.left == ["Luke"] }
      await leia.session.leave()
      for person in [luke, leia] {
        await person.listener.waitForEnd()
        #expect(await person.listener.events.last == .closed(.closedByUs))
      }
    }

    @Test func twentyOnOneMachineSeeEachOther() async throws {
      let place = try ChatPlace()
      let people = try (0..<20).map { _ in try place.person() }
      for (number, person) in people.enumerated() {
        try await person.session.join(as: "person \(number)")
      }
      for (number, person) in people.enumerated() {
        let others = Set((0..<20).filter { $0 != number }.map { "person \($0)" })
        await person.listener.wait(for: "all others of \(number)") { Set($0.joined) == others }
        #expect(await person.session.members.count == 19)
      }
      try await people[0].session.say("Hello")
      for person in people.dropFirst() {
        await person.listener.wait(for: "the line") { $0.texts == ["Hello"] }
      }
      await withTaskGroup { group in
        for person in people { group.addTask { await person.session.leave() } }
      }
      for person in people {
        await person.listener.waitForEnd()
        #expect(await person.listener.events.joined.count == 19)
        #expect(await person.session.droppedEvents == 0)
      }
    }
  }
}

/// A room of one test.
private struct ChatPlace {
  let place: Place
  let room: String

  init() throws {
    place = try Place()
    room = "\(try SystemRandom.uint64())"
  }

  func person() throws -> ChatPerson {
    let topic = Topic(hash: RoomHash(of: room).rawValue)
    let configuration = try place.configuration(topic: topic)
    let session = ChatSession(
      over: try UDPTransport(configuration), configuration: ChatRoom.Configuration(room: room),
      self: configuration.local
    ) { try? await Task.sleep(for: .nanoseconds($0.nanoseconds)) }
    return ChatPerson(session: session, listener: Listener(session.events))
  }
}

private struct ChatPerson {
  let session: ChatSession<UDPTransport>
  let listener: Listener<RoomEvent>
}

extension [RoomEvent] {
  /// The names of those who joined.
  fileprivate var joined: [String] {
    compactMap {
      guard case .joined(let member) = $0 else { return nil }
      return member.name
    }
  }

  fileprivate var left: [String] {
    compactMap {
      guard case .left(let member, _) = $0 else { return nil }
      return member.name
    }
  }

  fileprivate var texts: [String] {
    compactMap {
      guard case .message(let message) = $0 else { return nil }
      return message.text
    }
  }
}
