import ChatTransport
import Primitives
import Testing
import UDPTransport

/// A transport, and all that it told.
struct Person {
  let transport: UDPTransport
  let listener: Listener<TransportEvent>

  init(_ configuration: UDPConfiguration) throws {
    transport = try UDPTransport(configuration)
    listener = Listener(transport.events)
  }

  /// Two who have found each other.
  static func pair(
    at place: Place, _ configure: (inout UDPConfiguration) -> Void = { _ in }
  ) async throws -> (Person, Person) {
    var people: [Person] = []
    for _ in 0..<2 {
      var configuration = try place.configuration()
      configure(&configuration)
      people.append(try Person(configuration))
    }
    _ = try await people[0].peer()
    _ = try await people[1].peer()
    return (people[0], people[1])
  }

  /// The first peer that joined, as soon as there is one.
  func peer(location: SourceLocation = #_sourceLocation) async throws -> (
    id: PeerID, address: SocketAddress
  ) {
    await listener.wait(for: "a peer", location: location) { !$0.joined.isEmpty }
    let (id, information) = try #require(await listener.events.joined.first)
    return (id, try #require(information.path?.remote))
  }

  func say(_ payload: [UInt8]) async throws {
    _ = try await transport.send(payload, to: .everyone)
  }

  /// Waits until so many messages have come.
  func waitForMessages(
    _ count: Int, location: SourceLocation = #_sourceLocation
  ) async -> [ReceivedMessage] {
    await listener.wait(for: "message \(count)", location: location) {
      $0.messageCount >= count
    }
    return await listener.events.messages
  }

  func close() async {
    await transport.close()
    await listener.waitForEnd()
  }
}

extension [TransportEvent] {
  var joined: [(PeerID, PeerInformation)] {
    compactMap {
      guard case .peerJoined(let peer, let information) = $0 else { return nil }
      return (peer, information)
    }
  }

  var left: [LeaveReason] {
    compactMap {
      guard case .peerLeft(_, let reason) = $0 else { return nil }
      return reason
    }
  }

  var messages: [ReceivedMessage] {
    compactMap {
      guard case .message(let message) = $0 else { return nil }
      return message
    }
  }

  var messageCount: Int {
    count {
      if case .message = $0 { true } else { false }
    }
  }

  var acknowledged: [MessageID] {
    compactMap {
      guard case .acknowledged(let id, _) = $0 else { return nil }
      return id
    }
  }

  var acknowledgedCount: Int {
    count {
      if case .acknowledged = $0 { true } else { false }
    }
  }

  var closed: [CloseReason] {
    compactMap {
      guard case .closed(let reason) = $0 else { return nil }
      return reason
    }
  }

  var hasWaiting: Bool {
    contains {
      if case .waiting = $0 { true } else { false }
    }
  }
}
