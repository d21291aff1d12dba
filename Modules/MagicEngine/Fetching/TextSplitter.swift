/// Divides texts into words as the search index of a type does.
package protocol TextSplitter: Sendable {
  /// Returns the words of a text, in their order.
  func words(of text: String) -> [SearchedWord]
}

/// A word of a text.
package struct SearchedWord: Sendable, Equatable {
  /// The form in the index, in UTF-8. Words with equal forms are equal in a search.
  package let term: [UInt8]
  /// The offsets of the word in the UTF-8 form of the text.
  package let range: Range<Int>

  package init(term: [UInt8], range: Range<Int>) { (self.term, self.range) = (term, range) }
}
