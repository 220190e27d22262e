import Foundation

/// The package as it lies on disk.
enum Repository {
  /// The directory with Package.swift, upwards from this file.
  static let root: URL = {
    var directory = URL(filePath: #filePath)
    repeat {
      directory.deleteLastPathComponent()
    } while directory.path != "/" && !exists(directory.appending(path: "Package.swift"))
    return directory
  }()

  /// What is on the top level, without hidden files and what git ignores.
  static let topLevel: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    let ignored = IgnoredNames(gitignore: text(of: ".gitignore") ?? "")
    return names.filter { !$0.hasPrefix(".") && !ignored.contains($0) }.sorted()
  }()

  /// Every text file that the rules are about.
  static let files: [SourceFile] = {
    let paths =
      ["Package.swift", "README.md"] + ["Sources", "Tests", "Docs"].flatMap(paths(under:))
    return paths.compactMap { path in text(of: path).map { SourceFile(path: path, text: $0) } }
  }()

  /// Whether a path from the root names something.
  static func exists(_ path: String) -> Bool {
    exists(root.appending(path: path))
  }

  private static func exists(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: url.path)
  }

  private static func paths(under directory: String) -> [String] {
    let url = root.appending(path: directory)
    let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String }
    let visible = (names ?? []).filter { name in
      !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }
    return visible.map { "\(directory)/\($0)" }.sorted()
  }

  private static func text(of path: String) -> String? {
    try? String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
