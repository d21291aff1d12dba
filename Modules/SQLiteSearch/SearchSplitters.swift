package import MagicEngine
import MagicRuntime
package import MagicSQLite
package import MagicSchema
import SQLiteTables

/// The tokenizers that divide texts as search indexes do. Each is created once in the process.
package enum SearchSplitters {
  private static let all = Splitters()

  /// - Throws: `SQLiteError` if this SQLite lacks full-text search or the tokenizer.
  package static func splitter(of search: SearchSchema) throws -> any TextSplitter {
    Splitter(tokenizer: try tokenizer(SearchTable.tokenizer(search.declaration)))
  }

  /// - Parameter arguments: the name of the tokenizer, and its arguments.
  /// - Throws: `SQLiteError` for the same reasons.
  package static func tokenizer(_ arguments: [String]) throws(SQLiteError) -> TextTokenizer {
    try all.tokenizer(arguments)
  }

  private final class Splitters: @unchecked Sendable {
    private let lock = Lock().lockedDuringForks()
    @exclusivity(unchecked) private var all: [[String]: TextTokenizer] = [:]

    func tokenizer(_ arguments: [String]) throws(SQLiteError) -> TextTokenizer {
      if let known = lock.withLock({ all[arguments] }) { return known }
      let tokenizer = try TextTokenizer(arguments)
      lock.withLock { all[arguments] = tokenizer }
      return tokenizer
    }
  }
}

private struct Splitter: TextSplitter {
  let tokenizer: TextTokenizer

  func words(of text: String) -> [SearchedWord] {
    var text = text
    return text.withUTF8 { bytes in
      tokenizer.words(of: UnsafeRawBufferPointer(bytes)).map {
        SearchedWord(term: $0.term, range: $0.range)
      }
    }
  }
}
