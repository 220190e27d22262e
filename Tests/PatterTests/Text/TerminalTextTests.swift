import Primitives
import Testing

@testable import patter

struct TerminalTextTests {
  @Test(arguments: [
    "", "Hey, how goes it, man?", "Grüße, 你好, नमस्ते", "e\u{301}", "\\u{9b}", "^[",
    "👨‍👩‍👧‍👦 👩🏽‍🚀 ❤️‍🔥 🏳️‍🌈 🇩🇪 1️⃣", "👁️‍🗨️", "葛\u{E0100}", "क्\u{200D}ष", "ᠠ\u{180B}",
    "\u{2068}שלום\u{2069}", "\u{2068}می\u{200C}خواهم\u{2069}", "ไทย", "a\u{A0}b\u{3000}c",
  ])
  func leavesSafeTextAsItIs(text: String) {
    #expect(scalars(TerminalText.line(text)) == scalars(text))
  }

  @Test(arguments: [
    ("\u{1B}[31mred", "^[[31mred"), ("a\nb\r\nc", "a^Jb^M^Jc"), ("\u{0}\u{7F}", "^@^?"),
    ("\u{1F}", "^_"), ("a\tb", "a    b"), ("\u{9B}31m\u{85}", "\\u{9b}31m\\u{85}"),
    ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
    ("a\u{202E}b\u{202C}c\u{2066}d\u{2069}", "abcd"), ("\u{200E}\u{200F}\u{61C}x", "x"),
    ("x\u{E0001}\u{E0041}\u{E007F}", "x"), ("🏴\u{E0067}\u{E007F}", "🏴"),
    ("a\u{200B}b\u{FEFF}c\u{AD}d\u{2060}e\u{3164}f\u{FFF9}g", "abcdefg"),
    ("a\u{200D}b\u{200C}c\u{200D}", "abc"), ("👨\u{200D}\u{200D}👩", "👨\u{200D}👩"),
    ("👨\u{200D}", "👨"), ("\u{200D}👨", "👨"), ("👨\u{200D}a", "👨a"), ("1\u{200D}2", "12"),
    ("👨\u{200D}\u{200B}👩", "👨\u{200D}👩"), ("a\u{FE0F}b\u{E0100}", "ab"),
    ("❤\u{FE0F}\u{FE0F}\u{FE0E}", "❤\u{FE0F}"), ("\u{301}a", "\u{25CC}\u{301}a"),
    ("שלום", "\u{2068}שלום\u{2069}"), ("a ש", "\u{2068}a ש\u{2069}"),
    ("\u{2069}ש\u{202E}", "\u{2068}ש\u{2069}"), ("مرحبا\n", "\u{2068}مرحبا^J\u{2069}"),
  ])
  func makesTextHarmless(text: String, expected: String) {
    #expect(scalars(TerminalText.line(text)) == scalars(expected))
  }

  @Test(arguments: [
    ("Luke", "Luke"), ("Lu\u{200B}ke", "Lu\\u{200b}ke"), ("\u{202E}ekuL", "\\u{202e}ekuL"),
    ("a\u{E0041}", "a\\u{e0041}"), ("a\u{200D}b", "a\\u{200d}b"),
    ("a\u{FE0F}", "a\\u{fe0f}"), ("a\u{200D}", "a\\u{200d}"), ("👩‍🚀", "👩‍🚀"),
    ("a\u{200D}\u{200C}b", "a\\u{200d}\\u{200c}b"),
    ("דוד\u{202E}", "\u{2068}דוד\\u{202e}\u{2069}"),
  ])
  func hidesNothingInAName(name: String, expected: String) {
    #expect(scalars(TerminalText.name(name)) == scalars(expected))
  }

  @Test func keepsEightMarksOfARow() {
    let marks = { String(repeating: "\u{301}", count: $0) }
    #expect(scalars(TerminalText.line("a\(marks(8))b")) == scalars("a\(marks(8))b"))
    #expect(
      scalars(TerminalText.line("a\(marks(500))b\(marks(9))"))
        == scalars("a\(marks(8))b\(marks(8))"))
  }

  @Test(arguments: 0..<200)
  func neverLetsAnythingHarmfulThrough(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let text = hostileText(&generator)
    for safe in [TerminalText.line(text), TerminalText.name(text)] {
      #expect(complaint(about: safe) == nil, "seed \(seed): \(scalars(text)) gave \(scalars(safe))")
      #expect(scalars(TerminalText.line(safe)) == scalars(safe), "seed \(seed): \(scalars(text))")
    }
  }
}

private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

/// Text in which every kind of harm is frequent and stands beside every other.
private func hostileText(_ generator: inout SplitMix64) -> String {
  let ranges: [ClosedRange<UInt32>] = [
    0x00...0x1F, 0x20...0x7E, 0x7F...0x9F, 0x300...0x30F, 0x5D0...0x5D5, 0x621...0x625,
    0x915...0x94D, 0x180B...0x1822, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
    0x4E00...0x4E02, 0xFE00...0xFE0F, 0xFFF9...0xFFFD, 0x1F3FB...0x1F3FF, 0x1F466...0x1F469,
    0xE0000...0xE007F, 0xE0100...0xE0103, 0x00...0x10FFFF,
  ]
  var text = String.UnicodeScalarView()
  for _ in 0..<Int.random(in: 1...60, using: &generator) {
    let range = ranges.randomElement(using: &generator) ?? 0...0
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
        text.append(scalar)
      }
    }
  }
  return String(text)
}

/// What is wrong with text that should be safe, told from the numbers alone.
private func complaint(about text: String) -> String? {
  var depth = 0
  var marks = 0
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: return "a control character"
    case 0x2028, 0x2029: return "a line separator"
    case 0x202A...0x202E, 0x2066, 0x2067, 0x200E, 0x200F, 0x61C: return "a direction"
    case 0xE0000...0xE007F: return "a tag"
    case 0x200B, 0x2060...0x2065, 0xFEFF, 0xFFF9...0xFFFB: return "something hidden"
    case 0x2068: depth += 1
    case 0x2069: depth -= 1
    default: break
    }
    guard depth == 0 || depth == 1 else { return "isolates that do not match" }
    let isMark = [.nonspacingMark, .spacingMark, .enclosingMark].contains(
      scalar.properties.generalCategory)
    marks = isMark ? marks + 1 : 0
    // Variation selectors are marks by category; each base has one at most beside its eight.
    guard marks <= 9 else { return "too many marks" }
  }
  return depth == 0 ? nil : "isolates that do not match"
}
