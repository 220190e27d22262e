/// The pure zone gives the same answers for the same calls: nothing in it depends on a clock, on
/// global randomness, or on the order of a hash table, which differs from run to run.
enum Determinism {
  static func violations(in files: [SourceFile]) -> [String] {
    files.filter { $0.isPure && $0.isSwift }.flatMap { file in
      forbiddenWords(in: file) + globalRandomness(in: file) + HashOrder.violations(in: file)
    }
  }

  private static func forbiddenWords(in file: SourceFile) -> [String] {
    let words = [
      ("SystemRandomNumberGenerator", "take a generator with a seed"),
      ("Hasher", "use a hash with a key of its own; this one differs from run to run"),
      ("hashValue", "use a hash with a key of its own; this one differs from run to run"),
      ("ContinuousClock", "take the instant as an argument"),
      ("SuspendingClock", "take the instant as an argument"),
      ("Date", "take the instant as an argument"),
      ("Task.sleep", "return a deadline"),
    ]
    return file.code.enumerated().flatMap { index, line in
      words.filter { hasWord($0.0, in: line) }.map { word, advice in
        file.violation(index, "\(word) in the pure zone; \(advice)")
      }
    }
  }

  private static func hasWord(_ word: String, in line: String) -> Bool {
    guard line.contains(word) else { return false }
    // A conformance to Hashable that is written out only passes the hasher on.
    let words = line.replacing("inout Hasher", with: "")
      .split { !$0.isLetter && !$0.isNumber && !"_.".contains($0) }
    return words.contains { ".\($0).".contains(".\(word).") }
  }

  private static func globalRandomness(in file: SourceFile) -> [String] {
    let text = file.code.joined(separator: "\n")
    let call = #/\.(random|shuffled|shuffle|randomElement)\(/#
    guard text.contains(".random") || text.contains(".shuffle") else { return [] }
    return text.matches(of: call).filter { match in
      !arguments(in: text[match.range.upperBound...]).contains("using:")
    }.map { match in
      let index = text[..<match.range.lowerBound].count { $0 == "\n" }
      return file.violation(
        index, "\(match.1) in the pure zone; add using: with a generator that has a seed")
    }
  }

  /// Up to the parenthesis that closes the one in front.
  private static func arguments(in text: Substring) -> Substring {
    var depth = 1
    return text.prefix { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return depth > 0
    }
  }
}
