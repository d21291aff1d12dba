/// The declaration of a search index as Swift source.
extension InspectedSearchIndex {
  /// The declaration of how texts are divided; nil if it is the default.
  var declaration: String? {
    var options: [String] = []
    if tokenizer.hasSuffix("remove_diacritics 0") { options.append(".withAccents") }
    if tokenizer.hasPrefix("porter") { options.append(".stemmed(.english)") }
    var source = hasTrigrams ? ".trigrams" : ".words(\(options.joined(separator: ", ")))"
    // A file of another program may have other lengths.
    if let first = prefixLengths.first, let last = prefixLengths.last, first <= last,
      prefixLengths == Array(first...last)
    {
      source += ".prefixes(\(first)...\(last))"
    }
    return source == ".words()" ? nil : "static var search: MagicSearch { \(source) }"
  }

  func contains(_ column: InspectedColumn) -> Bool {
    columns.contains { $0.column.column == column.column }
  }
}
