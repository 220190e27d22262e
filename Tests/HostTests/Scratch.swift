import Foundation
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
    try String(contentsOfFile: path, encoding: .utf8)
  }

  func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
