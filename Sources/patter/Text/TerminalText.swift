/// Makes text from anybody safe for a terminal, and for output in which a line is one event.
///
/// The rules, for one line of output:
/// - A tab becomes four spaces. Every other C0 character and DEL is shown as `^J`, `^[` or `^?`;
///   C1 characters and U+2028 and U+2029 as `\u{9b}`. So nothing ends the line and nothing is
///   obeyed.
/// - Bidirectional controls, tags, and whatever else draws nothing are left out of a text, and are
///   shown in a name as `\u{200b}`: two names that differ must not look the same.
/// - Joiners stay between two parts of an emoji and between letters of scripts that are shaped by
///   them; a variation selector stays behind a character that has variants, one for each.
/// - Of the marks that follow each other at most eight stay. A mark at the beginning is given a
///   dotted circle (U+25CC) to stand on, or it would change what is printed before it.
/// - What contains letters of a right-to-left script is put between U+2068 and U+2069, so that it
///   cannot move what stands beside it (UAX #9, section 2.4.2).
///
/// `line` leaves what came out of `line` or `name` as it is.
enum TerminalText {
  /// A text as one safe line.
  static func line(_ text: String) -> String { safe(text, showsHidden: false) }

  /// A name, of which nothing may stay hidden.
  static func name(_ name: String) -> String { safe(name, showsHidden: true) }

  private static func safe(_ text: String, showsHidden: Bool) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var writer = Writer(showsHidden: showsHidden)
    for scalar in text.unicodeScalars { writer.take(scalar) }
    return writer.finish()
  }

  private struct Writer {
    private static let maximumMarks = 8

    let showsHidden: Bool
    private var output = String.UnicodeScalarView()
    /// The last scalar written that is no variation selector.
    private var base: Unicode.Scalar?
    /// Whether a variation selector stands behind `base`.
    private var isVaried = false
    /// A joiner that is written once it is known what follows it.
    private var joiner: Unicode.Scalar?
    private var markCount = 0
    private var hasRightToLeft = false

    init(showsHidden: Bool) {
      self.showsHidden = showsHidden
    }

    mutating func take(_ scalar: Unicode.Scalar) {
      switch ScalarKind(scalar) {
      case .visible: write(scalar)
      case .control: write(shown: scalar)
      case .lineSeparator: write(escaped: scalar)
      case .bidirectional, .hidden: hide(scalar)
      case .joiner:
        if joiner != nil { return hide(scalar) }
        joiner = scalar
      case .variationSelector:
        guard let base, joiner == nil, !isVaried, varies(base, by: scalar) else {
          return hide(scalar)
        }
        output.append(scalar)
        isVaried = true
      case .mark:
        if output.isEmpty { write("\u{25CC}") }
        guard markCount < Self.maximumMarks else { return }
        let count = markCount + 1
        write(scalar)
        markCount = count
      }
    }

    mutating func finish() -> String {
      settleJoiner(before: nil)
      guard hasRightToLeft else { return String(output) }
      return "\u{2068}" + String(output) + "\u{2069}"
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
      settleJoiner(before: scalar)
      output.append(scalar)
      base = scalar
      isVaried = false
      markCount = 0
      hasRightToLeft = hasRightToLeft || scalar.isRightToLeft
    }

    private mutating func write(shown control: Unicode.Scalar) {
      switch control.value {
      case 0x09: for _ in 0..<4 { write(" ") }
      case 0x00...0x1F, 0x7F:
        write("^")
        write(Unicode.Scalar(UInt8(control.value) ^ 0x40))
      default: write(escaped: control)
      }
    }

    private mutating func write(escaped scalar: Unicode.Scalar) {
      for character in "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars {
        write(character)
      }
    }

    private mutating func hide(_ scalar: Unicode.Scalar) {
      if showsHidden { write(escaped: scalar) }
    }

    private mutating func settleJoiner(before next: Unicode.Scalar?) {
      guard let joiner else { return }
      self.joiner = nil
      if let base, let next, joins(base, next) {
        output.append(joiner)
      } else {
        hide(joiner)
      }
    }
  }
}

/// Whether a joiner between the two can mean anything.
private func joins(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
  left.isEmojiElement && right.isEmojiElement
    || left.isShapedByJoiners && right.isShapedByJoiners
}

/// Whether `selector` can choose among the looks of `base` (UTS #51, and the Ideographic Variation
/// Database of UTS #37).
private func varies(_ base: Unicode.Scalar, by selector: Unicode.Scalar) -> Bool {
  switch selector.value {
  case 0xFE0E, 0xFE0F: base.properties.isEmoji
  case 0x180B...0x180F: (0x1820...0x18AF).contains(base.value)
  default: base.properties.isIdeographic
  }
}
