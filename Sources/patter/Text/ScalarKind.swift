/// What a Unicode scalar may do to a line of text on a terminal.
enum ScalarKind: Hashable, Sendable {
  /// Seen as it is.
  case visible
  /// C0, DEL or C1: a terminal obeys it.
  case control
  /// U+2028 or U+2029: some programs begin a new line there.
  case lineSeparator
  /// Changes the direction of the text around it.
  case bidirectional
  /// Not seen at all: tags, zero-width spaces, fillers, and whatever else draws nothing.
  case hidden
  /// U+200C or U+200D: not seen, but right between letters of many scripts and within emoji.
  case joiner
  /// Not seen, but right behind a character that has several looks.
  case variationSelector
  /// Stands on, below or around the character before it.
  case mark

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: self = .control
    case 0x20...0x7E: self = .visible
    case 0x2028, 0x2029: self = .lineSeparator
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: self = .bidirectional
    case 0x200C, 0x200D: self = .joiner
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180D, 0x180F: self = .variationSelector
    // Interlinear annotations are not in the property below, and yet draw nothing.
    case 0xFFF9...0xFFFB: self = .hidden
    default:
      let properties = scalar.properties
      if properties.isDefaultIgnorableCodePoint {
        self = .hidden
      } else {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
        default: self = .visible
        }
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter, sign or digit of a script that runs from right to left: the blocks
  /// that Unicode keeps for such scripts (UAX #9, section 3.2, and DerivedBidiClass.txt).
  var isRightToLeft: Bool {
    switch value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  /// Whether it can be part of an emoji of several scalars. Digits can in a keycap, but join
  /// nothing.
  var isEmojiElement: Bool { value > 0x7F && properties.isEmoji }

  /// Whether it belongs to a script in which a joiner changes how letters are drawn: those from
  /// Arabic to Mongolian, and their later blocks.
  var isShapedByJoiners: Bool {
    switch value {
    case 0x0600...0x109F, 0x1700...0x18AF, 0x1A00...0x1CFF, 0xA800...0xABFF, 0xFB50...0xFDFF,
      0xFE70...0xFEFE, 0x10A00...0x11FFF, 0x1E900...0x1E95F:
      true
    default: false
    }
  }
}
