/// The text with blanks in place of comments and the insides of strings, line by line as before.
///
/// It knows nested comments, raw and multi-line strings, interpolation and regular expressions
/// between `#/` and `/#`; not those between bare slashes, which the sources do not use.
func blankingCommentsAndStrings(in text: String) -> String {
  var blanker = Blanker(input: Array(text.utf8))
  blanker.run()
  return String(decoding: blanker.output, as: UTF8.self)
}

private struct Blanker {
  let input: [UInt8]
  var output: [UInt8] = []
  var position = 0

  init(input: [UInt8]) {
    self.input = input
    output.reserveCapacity(input.count)
  }

  mutating func run() {
    while position < input.count { step() }
  }

  /// Moves over one byte of code, or over one whole comment or string.
  mutating func step() {
    if starts(with: "//") {
      while position < input.count, input[position] != UInt8(ascii: "\n") { blank() }
    } else if starts(with: "/*") {
      blankComment()
    } else if let hashes = hashesOfString() {
      blankString(hashes: hashes)
    } else if let hashes = hashesOfRegex() {
      blankRegex(hashes: hashes)
    } else {
      output.append(input[position])
      position += 1
    }
  }

  mutating func blankComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        blank(2)
      } else if starts(with: "*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && position < input.count
  }

  mutating func blankString(hashes: String) {
    blank(hashes.utf8.count)
    let quote = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    output += Array(repeating: UInt8(ascii: "\""), count: quote.utf8.count)
    position += quote.utf8.count
    while position < input.count, !starts(with: quote + hashes) {
      if starts(with: "\\" + hashes + "(") {
        blank(1 + hashes.utf8.count)
        blankInterpolation()
      } else if starts(with: "\\" + hashes) {
        blank(2 + hashes.utf8.count)
      } else if quote == "\"", input[position] == UInt8(ascii: "\n") {
        return  // Not a string after all; the compiler would refuse it.
      } else {
        blank()
      }
    }
    output += Array(repeating: UInt8(ascii: "\""), count: min(quote.utf8.count, left))
    position += min(quote.utf8.count, left)
    blank(hashes.utf8.count)
  }

  /// Moves over what is between parentheses, where strings may stand again.
  mutating func blankInterpolation() {
    let start = output.count
    var depth = 0
    repeat {
      if input[position] == UInt8(ascii: "(") { depth += 1 }
      if input[position] == UInt8(ascii: ")") { depth -= 1 }
      step()
    } while depth > 0 && position < input.count
    for index in start..<output.count where output[index] != UInt8(ascii: "\n") {
      output[index] = UInt8(ascii: " ")
    }
  }

  mutating func blankRegex(hashes: String) {
    blank(hashes.utf8.count + 1)
    while position < input.count, !starts(with: "/" + hashes) { blank() }
    blank(hashes.utf8.count + 1)
  }

  func hashesOfString() -> String? {
    let hashes = hashesHere()
    return starts(with: hashes + "\"") ? hashes : nil
  }

  func hashesOfRegex() -> String? {
    let hashes = hashesHere()
    return !hashes.isEmpty && starts(with: hashes + "/") ? hashes : nil
  }

  func hashesHere() -> String {
    var count = 0
    while position + count < input.count, input[position + count] == UInt8(ascii: "#") {
      count += 1
    }
    return String(repeating: "#", count: count)
  }

  var left: Int { input.count - position }

  func starts(with text: String) -> Bool {
    var index = position
    for byte in text.utf8 {
      guard index < input.count, input[index] == byte else { return false }
      index += 1
    }
    return true
  }

  mutating func blank(_ count: Int = 1) {
    for _ in 0..<min(count, left) {
      // A blank for every byte of a character: nothing counts columns in what is code only.
      output.append(input[position] == UInt8(ascii: "\n") ? UInt8(ascii: "\n") : UInt8(ascii: " "))
      position += 1
    }
  }
}
