import Foundation

/// Every relative link in the documents leads somewhere.
enum Links {
  static func violations(in files: [SourceFile], exists: (String) -> Bool) -> [String] {
    files.filter(\.isMarkdown).flatMap { file in
      links(in: file).compactMap { index, link in
        guard let path = path(of: link, in: file.path) else {
          return file.violation(index, "\(link) leads out of the repository")
        }
        guard !exists(path) else { return nil }
        return file.violation(index, "\(link) does not exist; correct the link or add \(path)")
      }
    }
  }

  /// The path from the root that a link means, or `nil` where it leads out of it.
  private static func path(of link: String, in document: String) -> String? {
    var parts = document.split(separator: "/").dropLast().map(String.init)
    let decoded = link.removingPercentEncoding ?? link
    if decoded.hasPrefix("/") { parts = [] }
    for part in decoded.split(separator: "/") where part != "." {
      guard part == ".." else {
        parts.append(String(part))
        continue
      }
      guard parts.popLast() != nil else { return nil }
    }
    return parts.joined(separator: "/")
  }

  /// All links to files, without what is behind `#`, outside of code.
  private static func links(in file: SourceFile) -> [(index: Int, link: String)] {
    let inline = #/\]\(\s*<?([^)\s>]+)/#
    let reference = #/^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)/#
    let attribute = #/(?:src|href)="([^"]+)"/#
    var fence: Substring?
    var links: [(index: Int, link: String)] = []
    for (index, line) in file.lines.enumerated() {
      let start = line.drop { $0 == " " }
      if start.hasPrefix("```") || start.hasPrefix("~~~") {
        let mark = start.prefix(3)
        fence = fence == nil ? mark : (fence == mark ? nil : fence)
        continue
      }
      guard fence == nil else { continue }
      let text = line.replacing(#/`[^`]*`/#, with: "")
      let targets =
        text.matches(of: inline).map(\.1) + text.matches(of: reference).map(\.1)
        + text.matches(of: attribute).map(\.1)
      for target in targets {
        let link = target.prefix { $0 != "#" }
        guard !link.isEmpty, link.prefixMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*:/#) == nil else {
          continue
        }
        links.append((index, String(link)))
      }
    }
    return links
  }
}
