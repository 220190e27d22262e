import Foundation
import Host
import Testing

/// A directory that is there for one test.
final class Scratch {
  let path: String

  init() throws {
    var template = Array((NSTemporaryDirectory() + "patter-host-XXXXXX").utf8CString)
    let made = try #require(mkdtemp(&template), "no directory could be made")
    path = String(cString: made)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func permissions(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  func content(of path: String) throws -> String {
    // Not by Foundation, which leaks when the file is empty.
    String(decoding: try #require(try AtomicFile.read(path, limit: 65_536)), as: UTF8.self)
  }

  func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
