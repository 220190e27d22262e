import ChatTransport
import Host
import Primitives
import SocketDriver

/// Who we are in this run: the user's own identity, or where another process has that one, or
/// there is no place to keep it, one of this process alone.
struct OwnIdentity {
  let incarnation: Incarnation
  /// Holds the lock on the identity for as long as this lives.
  private let store: IdentityStore?

  /// - Parameter file: where the identity is kept; `nil` for the user's own place. A file that was
  ///   asked for and cannot be had is an error; the user's own place is not worth one.
  init(file: String?) throws(CommandFailure) {
    let fresh: (high: UInt64, low: UInt64)
    do throws(SystemError) {
      fresh = (high: try SystemRandom.uint64(), low: try SystemRandom.uint64())
    } catch { throw .network("\(error)") }
    store = try Self.open(file, fresh: fresh)
    let record =
      store?.record
      ?? IdentityRecord(
        high: fresh.high, low: fresh.low, epoch: WallClock.millisecondsSince1970)
    incarnation = Incarnation(
      identity: Identity(high: record.high, low: record.low), epoch: record.epoch)
  }

  private static func open(
    _ file: String?, fresh: (high: UInt64, low: UInt64)
  ) throws(CommandFailure) -> IdentityStore? {
    guard let path = file ?? IdentityStore.defaultPath else { return nil }
    do throws(IdentityError) {
      return try IdentityStore.open(path: path, fresh: fresh)
    } catch {
      guard file != nil else { return nil }
      if case .inUse = error { throw .identityInUse("\(error)") }
      throw .usage(.unusableValue(name: "--identity", value: path, reason: "\(error)"))
    }
  }
}
