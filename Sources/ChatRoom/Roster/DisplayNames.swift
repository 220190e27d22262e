import ChatTransport

/// Names by which people can be told apart.
///
/// Of several that look the same, the first keeps its name, so that nobody's changes because
/// somebody else comes; the others get `#` and the first digits of their identity, four or as many
/// as tell them apart. A name that has a `#` of its own always gets one more, so that nobody can
/// look like another's display name.
struct DisplayNames {
  struct Holder {
    var name: String
    /// What `folded` made of the name.
    var folded: String
    var identity: Identity
  }

  private static let shortest = 4

  /// The display names of `holders`, who come in the order of their right to a name.
  static func resolve(_ holders: [Holder]) -> [String] {
    var names = holders.map(\.name)
    let order = holders.indices.sorted {
      (holders[$0].folded, $0) < (holders[$1].folded, $1)
    }
    var start = 0
    while start < order.count {
      let folded = holders[order[start]].folded
      var end = start + 1
      while end < order.count, holders[order[end]].folded == folded { end += 1 }
      let first = holders[order[start]].name.contains("#") ? start : start + 1
      let suffixes = digits(order[first..<end].map { holders[$0].identity })
      for (index, suffix) in zip(order[first..<end], suffixes) { names[index] += "#" + suffix }
      start = end
    }
    return names
  }

  /// What two names that look the same have in common: without difference of case and of white
  /// space, and without characters that show nothing.
  static func folded(_ name: String) -> String {
    var shown = String.UnicodeScalarView()
    shown.append(
      contentsOf: name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
    let words = String(shown).split(whereSeparator: \.isWhitespace)
    return words.joined(separator: " ").uppercased().lowercased()
  }

  /// For each identity the least number of its digits, from four, that none of the others has.
  private static func digits(_ identities: [Identity]) -> [String] {
    let texts = identities.map(\.description)
    let order = texts.indices.sorted { texts[$0] < texts[$1] }
    var counts = Array(repeating: shortest, count: texts.count)
    // In sorted order, the longest prefix that two have in common is one that neighbours have.
    for (left, right) in zip(order, order.dropFirst()) {
      let common = zip(texts[left].utf8, texts[right].utf8).prefix { $0 == $1 }.count
      counts[left] = max(counts[left], common + 1)
      counts[right] = max(counts[right], common + 1)
    }
    return zip(texts, counts).map { String($0.prefix($1)) }
  }
}
