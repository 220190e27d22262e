import Primitives

/// The identity of this user on this host, held by one process at a time: for as long as this
/// object lives, nobody else gets it.
public final class IdentityStore {
  public let path: String
  /// The identity, with the epoch of this run.
  public let record: IdentityRecord
  private let lock: FileLock

  /// `identity` in the state directory, see `Directories.state`; `nil` where there is no home.
  public static var defaultPath: String? {
    Directories.state.map { $0 + "/identity" }
  }

  /// Takes the identity in `path`, or founds one there, and begins a new epoch: the time now, or
  /// one more than the last epoch where the clock has gone back.
  ///
  /// The file (0600) and its directory (0700) are made where they are missing; the lock is a file
  /// beside it.
  ///
  /// - Parameters:
  ///   - fresh: 16 unpredictable bytes as two numbers: the identity, where there is none yet.
  ///   - now: Milliseconds since 1970.
  public static func open(
    path: String, fresh: (high: UInt64, low: UInt64),
    now: UInt64 = WallClock.millisecondsSince1970
  ) throws(IdentityError) -> IdentityStore {
    let lock = try takeLock(path)
    var record = try saved(path) ?? IdentityRecord(high: fresh.high, low: fresh.low, epoch: 0)
    record.epoch = max(now, record.epoch + 1)
    do throws(SystemError) {
      try AtomicFile.write(Array(record.text.utf8), to: path)
    } catch {
      throw .cannotWrite(path: path, error)
    }
    return IdentityStore(path: path, record: record, lock: lock)
  }

  private static func takeLock(_ path: String) throws(IdentityError) -> FileLock {
    let taken: FileLock?
    do throws(SystemError) {
      try Directories.make(parent(of: path))
      taken = try FileLock.take(path + ".lock")
    } catch {
      throw .cannotWrite(path: path, error)
    }
    guard let taken else { throw .inUse(path: path) }
    return taken
  }

  private static func saved(_ path: String) throws(IdentityError) -> IdentityRecord? {
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try AtomicFile.read(path, limit: IdentityRecord.maximumSize)
    } catch {
      throw .unreadable(path: path, error)
    }
    guard let bytes else { return nil }
    do throws(IdentityRecord.Damage) {
      return try IdentityRecord(bytes)
    } catch {
      throw .corrupt(path: path, line: error.line)
    }
  }

  private init(path: String, record: IdentityRecord, lock: FileLock) {
    self.path = path
    self.record = record
    self.lock = lock
  }
}
