import Foundation
package import MagicEngine
import MagicPostgreSQL
import MagicSQLite
import MagicSchema
import PostgreSQLTables
import SQLiteSearch
import SQLiteTables

/// Divides the texts of rows into words, as FTS5 does on SQLite.
struct SearchTexts {
  private let columns: [SearchLayout.Column]
  /// The names of the columns of UUIDs.
  private let identifiers: Set<String>
  private let tokenizer: TextTokenizer

  /// - Throws: `SQLiteError` if the SQLite of the process lacks FTS5, whose tokenizers divide the texts.
  init(_ layout: SearchLayout, identifiers: Set<String>) throws(SQLiteError) {
    columns = layout.columns
    self.identifiers = identifiers
    tokenizer = try SearchSplitters.tokenizer(layout.tokenizer)
  }

  /// - Throws: `MagicError` with `.unsupportedSQLite` for the same reason.
  init(_ definition: SearchDefinition) throws {
    let schema = definition.schema
    let identifiers = schema.columns.filter { $0.type == .uuid }.map(\.name)
    do {
      try self.init(definition.layout, identifiers: Set(identifiers))
    } catch {
      throw MagicError(error, schema: schema)
    }
  }

  /// Returns the words of a text, in their order.
  func words(of text: String) -> [[UInt8]] {
    var text = text
    return text.withUTF8 { tokenizer.words(of: UnsafeRawBufferPointer($0)) }.map(\.term)
  }

  // MARK: Rows

  /// The SQL of the texts of a row.
  ///
  /// - Parameter alias: the alias of the type's table.
  func selected(_ alias: String) -> [String] {
    columns.map { column in
      let name = "\(alias).\(column.name.quoted)"
      switch column.kind {
      case .text: return identifiers.contains(column.name) ? "upper(\(name)::text)" : name
      case .list: return name
      case .file:
        return "(SELECT string_agg(d.bytes, ''::bytea ORDER BY d.part) "
          + "FROM magic_asset_data AS d WHERE d.name = \(name))"
      }
    }
  }

  /// The SQL of the size of these texts, in bytes.
  func size(_ alias: String) -> String {
    columns.map { column in
      let name = "\(alias).\(column.name.quoted)"
      switch column.kind {
      case .file:
        return "coalesce((SELECT a.size FROM magic_assets AS a WHERE a.name = \(name)), 0)"
      case .text where identifiers.contains(column.name): return "36"
      case .text, .list: return "coalesce(octet_length(\(name)), 0)"
      }
    }.joined(separator: " + ")
  }

  /// Returns the words of a row, as keys with their places, and the number of the row's words.
  ///
  /// - Parameter first: the column of the result with the first text.
  func words(
    of row: Int, in result: PostgreSQLResult, first: Int
  ) -> (places: [[UInt8]: [Int64]], count: Int) {
    var places: [[UInt8]: [Int64]] = [:]
    var count = 0
    for (index, column) in columns.enumerated() {
      let value = result.value(row, first + index)
      guard let bytes = value.bytes else { continue }
      withText(bytes, column.kind) { text in
        let words = tokenizer.words(of: text)
        count += words.count
        for (place, word) in words.enumerated() {
          places[SearchKey.key(of: word.term), default: []]
            .append(Int64(index) << 32 | Int64(place))
        }
      }
    }
    withExtendedLifetime(result) {}
    return (places, count)
  }

  /// Calls a closure with the text of a stored value.
  private func withText(
    _ bytes: UnsafeRawBufferPointer, _ kind: SearchSchema.Kind,
    _ use: (UnsafeRawBufferPointer) -> Void
  ) {
    switch kind {
    case .file: use(bytes)
    case .text:
      if let text = PostgreSQLText.unescape(bytes) { text.withUnsafeBytes(use) } else { use(bytes) }
    case .list:
      let json = try? JSONSerialization.jsonObject(
        with: Data(bytes), options: .fragmentsAllowed)
      guard let elements = json as? [Any] ?? json.map({ [$0] }) else { return }
      var text = elements.compactMap { $0 as? String }.joined(separator: "\n")
      text.withUTF8 { use(UnsafeRawBufferPointer($0)) }
    }
  }
}

extension SearchDefinition {
  /// Returns what divides texts into words as the index does.
  ///
  /// - Throws: `MagicError` with `.unsupportedSQLite`.
  package func splitter() throws -> any TextSplitter {
    do {
      return try SearchSplitters.splitter(of: search)
    } catch let error as SQLiteError {
      throw MagicError(error, schema: schema)
    }
  }
}
