/// A search of the texts of a type's rows.
package struct TextSearch: Sendable {
  /// The text of the search, in the syntax of searches: a value.
  package let text: QueryExpression
  /// The phrases that the rows contain, or some of them.
  package let phrases: [Phrase]
  /// Whether the rows of the type's table are not looked up: the query reads their row IDs and scores
  /// from the index. It then also finds rows that another program has removed without firing triggers.
  package var readsOnlyIndex = false

  package struct Phrase: Sendable, Hashable {
    package let text: String
    /// Whether the last word of the phrase is the beginning of a word.
    package let isPrefix: Bool
    /// The searched columns, as indexes in the search index of the type; nil for all columns.
    package let columns: Set<Int>?

    package init(text: String, isPrefix: Bool, columns: Set<Int>?) {
      (self.text, self.isPrefix, self.columns) = (text, isPrefix, columns)
    }
  }

  package init(text: QueryExpression, phrases: [Phrase]) {
    (self.text, self.phrases) = (text, phrases)
  }
}
