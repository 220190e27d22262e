import Glibc
public import Primitives

/// Where a program's files belong.
public enum Directories {
  /// For what a program keeps between runs and nobody edits (XDG Base Directory Specification):
  /// `$XDG_STATE_HOME/patter`, else `~/.local/state/patter`; `nil` where there is no home.
  public static var state: String? {
    state { Environment[$0] }
  }

  static func state(_ variable: (String) -> String?) -> String? {
    // The specification has relative paths ignored.
    if let base = variable("XDG_STATE_HOME"), base.hasPrefix("/") { return base + "/patter" }
    guard let home = variable("HOME") ?? UserRecord.current?.home, home.hasPrefix("/") else {
      return nil
    }
    return home + "/.local/state/patter"
  }

  /// Makes a directory and those above it that are missing, for this user alone (0700).
  public static func make(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try makeOne(path)
    } catch {
      guard error.code == ENOENT, parent(of: path) != path else { throw error }
      try make(parent(of: path))
      try makeOne(path)
    }
  }

  private static func makeOne(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      _ = try SystemError.check("mkdir") { unsafe mkdir(path, 0o700) }
    } catch {
      if error.code != EEXIST { throw error }
    }
  }
}
