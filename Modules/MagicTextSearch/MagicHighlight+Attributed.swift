public import Foundation

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
extension MagicHighlight {
  /// The text with an ellipsis where it is cut. Found words have the attribute ``MagicFoundWord``, and
  /// on Apple's systems are strongly emphasised.
  public var attributed: AttributedString {
    var attributed = AttributedString(isCutAtStart ? "…" : "")
    var place = text.startIndex
    for range in ranges {
      attributed += AttributedString(text[place..<range.lowerBound])
      var word = AttributedString(text[range])
      word[MagicFoundWord.self] = true
      #if canImport(Darwin)
        word.inlinePresentationIntent = .stronglyEmphasized
      #endif
      attributed += word
      place = range.upperBound
    }
    return attributed + AttributedString(text[place...] + (isCutAtEnd ? "…" : ""))
  }
}

/// The attribute of words that a search has found, in an attributed text.
@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
public enum MagicFoundWord: AttributedStringKey {
  /// True.
  public typealias Value = Bool
  /// The name of the attribute.
  public static let name = "MagicFoundWord"
}
