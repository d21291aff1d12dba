/// A text, or a part of one, with the places of the words that a search has found.
public struct MagicHighlight: Sendable, Hashable, CustomStringConvertible {
  /// The text, or the part of it.
  public let text: String
  /// The places of the found words in ``text``, in their order. They do not overlap.
  public let ranges: [Range<String.Index>]
  /// The place of ``text`` in the entire text.
  public let range: Range<String.Index>
  /// Whether the entire text has something before ``text``.
  public let isCutAtStart: Bool
  /// Whether the entire text has something after ``text``.
  public let isCutAtEnd: Bool

  /// The text with `start` and `end` around each found word, and an ellipsis where it is cut.
  ///
  /// - Parameters:
  ///   - start: what precedes a found word, for example `<b>`. The text itself is not escaped.
  ///   - end: what follows it.
  public func marked(_ start: String, _ end: String) -> String {
    var marked = isCutAtStart ? "…" : ""
    var place = text.startIndex
    for range in ranges {
      marked += text[place..<range.lowerBound] + start + text[range] + end
      place = range.upperBound
    }
    return marked + text[place...] + (isCutAtEnd ? "…" : "")
  }

  /// The text with found words in square brackets, and an ellipsis where it is cut.
  public var description: String { marked("[", "]") }
}
