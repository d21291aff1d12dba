package import MagicEngine
import MagicRuntime
import MagicSQLite
package import MagicSchema
import SQLiteTables

/// The tokenizers that divide texts as search indexes do. Each is created once in the process.
package enum SearchSplitters {
  private static let all = Splitters()

  /// - Throws: `SQLiteError` if this SQLite lacks full-text search or the tokenizer.
  package static func splitter(of search: SearchSchema) throws -> any TextSplitter {
    try all.splitter(SearchTable.tokenizer(search.declaration))
  }

  private final class Splitters: @unchecked Sendable {
    private let lock = Lock().lockedDuringForks()
    @exclusivity(unchecked) private var all: [[String]: Splitter] = [:]

    func splitter(_ arguments: [String]) throws -> Splitter {
      if let known = lock.withLock({ all[arguments] }) { return known }
      let splitter = Splitter(tokenizer: try TextTokenizer(arguments))
      lock.withLock { all[arguments] = splitter }
      return splitter
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
