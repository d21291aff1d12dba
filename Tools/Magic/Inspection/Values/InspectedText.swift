/// Texts of a file, for places that show one line.
public enum InspectedText {
  /// Returns the text on one line. Control characters, and characters that change the direction of
  /// the text around them, are replaced; a longer text ends with an ellipsis.
  public static func line(_ text: String, limit: Int = 80) -> String {
    var result = String.UnicodeScalarView()
    // A character may have many scalars, so both are limited.
    for scalar in text.unicodeScalars.prefix(limit * 16) {
      switch scalar {
      case "\n", "\r", "\u{2028}", "\u{2029}", "\u{85}": result.append("↵")
      case "\t": result.append(" ")
      default: result.append(isSafe(scalar) ? scalar : "\u{FFFD}")
      }
    }
    let shown = String(result)
    let isCut = text.unicodeScalars.count > limit * 16 || shown.count > limit
    return isCut ? shown.prefix(max(1, limit - 1)) + "…" : shown
  }

  /// Returns the text with its line breaks, and each line without control characters.
  public static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line(String($0), limit: 100_000) }.joined(separator: "\n")
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    // Joiners are part of emoji and of some scripts.
    case .format: scalar == "\u{200D}" || scalar == "\u{200C}"
    default: true
    }
  }
}

extension String {
  /// A name of the file for a message.
  var shown: String { InspectedText.line(self) }
}
