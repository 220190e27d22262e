extension Character {
  /// How many columns of a terminal it takes: 0, 1 or 2.
  ///
  /// A coarse form of UAX #11 and UTS #51, by block: enough to align a list. Text of which every
  /// column has to be right needs the tables themselves.
  var columnCount: Int {
    var width = 0
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0xFE0F: if width > 0 { width = 2 }
      case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF,
        0x20000...0x3FFFD:
        width = 2
      default:
        if scalar.properties.isEmojiPresentation {
          width = 2
        } else if ScalarKind(scalar) == .visible {
          width = Swift.max(width, 1)
        }
      }
    }
    return width
  }
}

extension String {
  /// How many columns of a terminal it takes.
  var columnCount: Int { reduce(0) { $0 + $1.columnCount } }

  /// The text with spaces behind it, up to `width` columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - columnCount))
  }
}
