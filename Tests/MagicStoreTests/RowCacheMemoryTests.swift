import EngineConformance
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteEngine
import SQLiteStore
import Testing

/// The memory of the row cache, with its tables.
@Suite struct RowCacheMemoryTests {
  let scratch = Scratch()

  private struct Word: MagicObject {
    @PrimaryMagicValue var text: String
    @MagicValue var count: Int

    init() {}
    init(_ text: String) { (self.text, count) = (text, 0) }
  }

  /// The cache of a store.
  private func cache(of store: MagicObjectStore) throws -> RowCache {
    try #require(try store.shared.readOnWriter { $0.cache })
  }

  @Test(arguments: [1, 1_000, 4 << 10, 16 << 10, 256 << 10, 4 << 20])
  func rowsAndTablesNeedAtMostTheSize(_ size: Int) throws {
    try scratch.using(MagicOptions(durability: .normal, rowCacheSize: size)) { store in
      let cache = try cache(of: store)
      let texts = (0..<3_000).map { "\($0) " + String(repeating: "x", count: $0 % 40) }
      try store.update(contentsOf: texts.map { Word($0) })
      var largest = 0
      for (number, text) in texts.enumerated() {
        let word = try store.object(of: Word.self, primary: text)
        #expect(try store.object(of: Word.self, primary: text).text == text)
        guard number % 10 == 0 else { continue }
        largest = max(largest, cache.memory)
        word.count += 1
        try store.update(word)
        #expect(try store.object(of: Word.self, primary: text).count == 1)
        largest = max(largest, cache.memory)
      }
      #expect(largest <= size)
      // Smaller ones have no room for the tables and a row.
      if size >= 16 << 10 { #expect(store.cacheStatistics.hits > 0) }
    }
  }

  @Test func aTextPrimaryNeedsItsBytesOnce() throws {
    try scratch.using { store in
      let cache = try cache(of: store)
      let texts = (0..<100).map { String(repeating: "é", count: 1_000) + "\($0)" }
      try store.update(contentsOf: texts.map { Word($0) })
      for text in texts { #expect(try store.object(of: Word.self, primary: text).text == text) }
      // A row has 2,000 bytes of text. The tables of the eight parts need at most 8 KiB each.
      #expect(cache.memory < 100 * 3_000 + 8 * (8 << 10))
      for text in texts { #expect(try store.object(of: Word.self, primary: text).text == text) }
      // Rows with the same set may be evicted.
      #expect(store.cacheStatistics.hits >= 90)
    }
  }

  @Test func aSuspensionFreesTheMemory() throws {
    try scratch.using { store in
      let cache = try cache(of: store)
      try store.update(contentsOf: (0..<100).map { Word("\($0)") })
      for number in 0..<100 { _ = try store.object(of: Word.self, primary: "\(number)") }
      #expect(cache.memory > 100 * 100)
      try store.suspend()
      #expect(cache.memory < 100)
      store.resume()
    }
  }
}
