/// What can be broken on purpose between a machine and those who watch it, to show that they would
/// notice.
package enum Sabotage: String, CaseIterable, Sendable {
  /// A message is told twice.
  case deliversTwice
  /// Of two messages the later is told first.
  case deliversOutOfOrder
  /// A message that the machine has acknowledged is not told.
  case losesMessage
  case damagesPayload
  case acknowledgesTwice
  case acknowledgesAtOnce
  /// The last word about a message is missing.
  case forgetsFate
  case leavesTwice
  case tellsAfterLeaving
  /// Strangers get more than three times what they sent.
  case amplifies
  case overfillsQueue
  case floodsEvents
  /// A deadline stands in the past.
  case standsStill
  /// Something is sent all the time, although there is nothing to say.
  case chatters
  /// Nothing gets through any more when the network has healed.
  case deafens
  /// The end is never told.
  case neverCloses
}
