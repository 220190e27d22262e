import Glibc

/// The person who runs this process, as the system knows him.
public enum UserName {
  /// The login name: `$USER`, else what the user database says, else `someone`. It is text from
  /// outside, and no more fit for a name than a person's own input.
  public static var current: String {
    Environment["USER"] ?? UserRecord.current?.name ?? "someone"
  }
}

/// What the user database says of the user who runs this process.
struct UserRecord {
  let name: String
  let home: String

  static var current: UserRecord? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    let result = unsafe getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found)
    guard result == 0, unsafe found != nil, let name = unsafe entry.pw_name,
      let home = unsafe entry.pw_dir
    else { return nil }
    return unsafe UserRecord(name: String(cString: name), home: String(cString: home))
  }
}
