/// Nothing runs over a Dictionary or a Set, so that nobody sees the order of its elements.
///
/// A heuristic: it knows what is declared as one in the same file, and every `keys` and `values`.
enum HashOrder {
  static func violations(in file: SourceFile) -> [String] {
    let names = declaredNames(in: file)
    return file.statements.compactMap { index, statement in
      guard let found = iterated(in: statement, names: names) else { return nil }
      return file.violation(
        index, "runs over \(found), whose order differs from run to run; sort it first")
    }
  }

  /// Members whose answer is the same in any order.
  private static let harmless = [
    "sorted", "count", "isEmpty", "contains", "allSatisfy", "index", "capacity", "min()", "max()",
    "reduce(0, +)",
  ]
  /// Members that show the order when they are called on a hash table itself.
  private static let revealing = [
    "forEach", "map", "compactMap", "flatMap", "reduce", "first", "popFirst", "removeFirst",
    "enumerated", "lazy", "makeIterator", "prefix", "dropFirst", "keys", "values",
  ]

  private static func iterated(in statement: String, names: Set<String>) -> String? {
    guard !statement.contains(".sorted") else { return nil }
    if let sequence = loopSequence(of: statement) {
      return words(in: sequence).first { word in
        let isTable = word.names(oneOf: names) || (word.isMember && isView(word.text))
        return isTable && showsOrder(behind: word.rest)
      }?.text
    }
    return words(in: statement).first { word in
      if word.names(oneOf: names) {
        return word.rest.hasPrefix(")") && word.front.hasSuffix("Array(") || isRevealed(word)
      }
      guard word.isMember, isView(word.text) else { return false }
      return word.rest.hasPrefix(")") && word.front.contains("Array(") || isRevealed(word)
    }?.text
  }

  private static func isRevealed(_ word: Word) -> Bool {
    revealing.contains { calls($0, in: word.rest) } && showsOrder(behind: word.rest)
      && !word.front.hasSuffix("Set(")
  }

  private static func isView(_ word: String) -> Bool { word == "keys" || word == "values" }

  /// What stands between `in` and the brace of a loop.
  private static func loopSequence(of statement: String) -> String? {
    guard statement.contains("for ") else { return nil }
    guard let match = statement.firstMatch(of: #/\bfor\s.+?\sin\s(.+)/#) else { return nil }
    return match.1.firstMatch(of: #/^(.*?)(?:\swhere\s.*)?\s?\{/#).map { String($0.1) }
      ?? String(match.1)
  }

  /// Whether a table with `rest` behind it is run over: neither looked up in, nor called, nor a
  /// label, nor asked for something that does not depend on order.
  private static func showsOrder(behind rest: Substring) -> Bool {
    if rest.hasPrefix(".keys") || rest.hasPrefix(".values") {
      return showsOrder(behind: rest.dropFirst(rest.hasPrefix(".keys") ? 5 : 7))
    }
    if let next = rest.first, "[(:".contains(next) { return false }
    return !harmless.contains { calls($0, in: rest) }
  }

  private static func calls(_ member: String, in rest: Substring) -> Bool {
    guard rest.hasPrefix("." + member) else { return false }
    guard let next = rest.dropFirst(member.count + 1).first else { return true }
    return !next.isLetter && !next.isNumber
  }

  private struct Word {
    var text: String
    var front: Substring
    var rest: Substring
    var isMember: Bool { front.hasSuffix(".") }

    /// `list.indices` is what the standard library means by it, whatever is called so here.
    func names(oneOf names: Set<String>) -> Bool {
      names.contains(text) && !(text == "indices" && isMember && !front.hasSuffix("self."))
    }
  }

  private static func words(in statement: String) -> [Word] {
    statement.matches(of: #/\w+/#).map { match in
      Word(
        text: String(match.0), front: statement[..<match.range.lowerBound],
        rest: statement[match.range.upperBound...])
    }
  }

  /// Names of properties, variables and parameters that are a Dictionary or a Set.
  private static func declaredNames(in file: SourceFile) -> Set<String> {
    let annotated =
      #/(\w+)\s*:\s*(?:(?:inout|borrowing|consuming)\s+)?(?=(\[|(?:Set|Dictionary)\b))/#
    let initialized = #/(?:let|var)\s+(\w+)\s*=\s*(?=(\[|(?:Set|Dictionary)\b))/#
    var names: Set<String> = []
    for line in file.code {
      for match in line.matches(of: annotated) + line.matches(of: initialized)
      where match.2 != "[" || isDictionary(line[match.range.upperBound...]) {
        names.insert(String(match.1))
      }
    }
    return names
  }

  /// Whether a bracket holds a colon of its own, as in `[Key: Value]` and `[key: value]`.
  private static func isDictionary(_ text: Substring) -> Bool {
    var depth = 0
    for character in text {
      if "[(<".contains(character) { depth += 1 }
      if "])>".contains(character) { depth -= 1 }
      if depth == 0 { return false }
      if depth == 1, character == ":" { return true }
    }
    return false
  }
}
