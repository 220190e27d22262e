import Foundation

/// The datagrams in Tests/WireFormat/datagrams.txt, which Tests/WireFormat/decode.py reads with
/// nothing but the tables of Docs/WireFormat.md.
enum StoredDatagrams {
  /// All of them, by their names.
  static func load() throws -> [String: [UInt8]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../WireFormat/datagrams.txt").standardizedFileURL
    var datagrams: [String: [UInt8]] = [:]
    var name: String?
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("name: ") {
        name = String(line.dropFirst(6))
      } else if line.hasPrefix("bytes: "), let known = name {
        datagrams[known] = WireBytes.parsed(hex: String(line.dropFirst(7)))
      }
    }
    return datagrams
  }
}
