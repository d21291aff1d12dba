extension String {
  /// The number of columns that the text needs in a terminal.
  var terminalWidth: Int { reduce(0) { $0 + $1.terminalWidth } }

  /// The text in exactly so many columns, or in more if it is longer.
  func padded(to width: Int, isRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - terminalWidth))
    return isRight ? space + self : self + space
  }

  /// The text in at most so many columns.
  func shortened(to width: Int) -> String {
    guard terminalWidth > width else { return self }
    var (result, used) = ("", 0)
    for character in self {
      used += character.terminalWidth
      guard used < width else { break }
      result.append(character)
    }
    return result + "…"
  }
}

extension Character {
  /// The number of columns that the character needs in a terminal.
  fileprivate var terminalWidth: Int {
    guard let first = unicodeScalars.first, !first.isASCII else { return 1 }
    if unicodeScalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // The scripts that terminals show in two columns: Unicode Standard Annex 11.
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
