import Primitives

/// Decides what befalls a datagram, as a pure function of the seed and of which datagram it is.
///
/// There is no stream of random numbers that one draw could shift for the next: the n-th datagram
/// of a flow meets the same fate whatever other flows did, whichever impairments are switched on,
/// and wherever it is asked.
public struct FateSource: Hashable, Sendable {
  /// What a draw is for. Each impairment has a number of its own, so that switching one on or off
  /// never moves another. A number is never given to anything else.
  public enum Purpose: UInt32, CaseIterable, Sendable {
    case loss = 1
    case delayJitter = 2
    case duplication = 3
    /// How long after the original a duplicate comes.
    case duplicateGap = 4
    case reordering = 5
    /// Whether a chapter of bursts begins with one.
    case burstBeginning = 6
    /// How long a burst, or the time between two, lasts.
    case burstLength = 7
  }

  public let seed: UInt64

  public init(seed: UInt64) {
    self.seed = seed
  }

  /// A number that is uniform from 0 up to but not including 1, in steps of 2^-53.
  ///
  /// - Parameters:
  ///   - link: the number of the link, one for each direction.
  ///   - flow: the number of the flow, given by its role and never by an ephemeral port, so that a
  ///     run repeats.
  ///   - index: which datagram of that flow on that link, counted from 0.
  public func unit(purpose: Purpose, link: UInt32, flow: UInt32, index: UInt64) -> Double {
    let ofLink = mix64(seed &+ mix64(UInt64(purpose.rawValue) << 32 | UInt64(link)))
    let ofFlow = mix64(ofLink &+ mix64(UInt64(flow)))
    return Double(mix64(ofFlow &+ mix64(index)) >> 11) * 0x1p-53
  }
}
