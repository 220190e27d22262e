import Foundation

/// The patterns of a .gitignore that can concern the top level: a name, with or without `/` at its
/// ends, that may hold one `*`.
struct IgnoredNames {
  private let patterns: [String]

  init(gitignore: String) {
    patterns = gitignore.split(whereSeparator: \.isNewline).map(String.init)
      .filter { !$0.hasPrefix("#") && !$0.hasPrefix("!") }
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "/ ")) }
      .filter { !$0.isEmpty && !$0.contains("/") }
  }

  func contains(_ name: String) -> Bool {
    patterns.contains { pattern in
      guard let star = pattern.firstIndex(of: "*") else { return name == pattern }
      let (front, back) = (pattern[..<star], pattern[pattern.index(after: star)...])
      return name.count >= front.count + back.count && name.hasPrefix(front)
        && name.hasSuffix(back)
    }
  }
}
