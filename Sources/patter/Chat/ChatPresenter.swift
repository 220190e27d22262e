import ChatRoom

/// Turns what happens in a room into lines of output, in one of the two forms there are.
protocol ChatPresenter: Sendable {
  /// The first line: who we are, and where we can be reached.
  func lines(ready: ReadyInformation) -> [OutputLine]

  func lines(for event: RoomEvent) -> [OutputLine]

  /// The lines for events that came together, where one may stand for several.
  func lines(for events: [RoomEvent]) -> [OutputLine]

  /// Something that went wrong on our side, in words.
  func lines(error: ChatError) -> [OutputLine]
}

extension ChatPresenter {
  func lines(for events: [RoomEvent]) -> [OutputLine] { events.flatMap { lines(for: $0) } }
}
