import Foundation
import DatabaseTransfer
import MagicSchema

/// What a table of PostgreSQL does not show of the file from which it was copied. It is stored as JSON
/// in the table `magic_origins`, and used if the database is copied to a file again.
struct TableOrigin: Codable {
  struct Search: Codable {
    /// The names and the kinds of the indexed columns.
    var columns: [[String]]
    var options: String
  }

  /// The fingerprint of the type. If the table has another one, the rest is outdated.
  var fingerprint: String
  /// The owned lists of the type.
  var owned: [String]
  var search: Search?

  static let create = """
    CREATE TABLE IF NOT EXISTS magic_origins (\
    table_name text COLLATE "C" PRIMARY KEY, origin text NOT NULL)
    """

  init(_ table: TransferredTable) {
    fingerprint = table.fingerprint
    owned = table.collections.filter(\.isOwned).map(\.property)
    search = table.search.map {
      Search(columns: $0.columns.map { [$0.name, $0.kind.rawValue] }, options: $0.options)
    }
  }

  init?(_ text: String) {
    guard let origin = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = origin
  }

  func text() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

  /// The search index of the file; nil if there was none, and if a column does not exist any more.
  func transferredSearch(of columns: [TransferredTable.Column]) -> TransferredSearch? {
    guard let search else { return nil }
    let indexed = search.columns.compactMap { pair -> TransferredSearch.Column? in
      guard pair.count == 2, let kind = SearchSchema.Kind(rawValue: pair[1]),
        columns.contains(where: { $0.name == pair[0] })
      else { return nil }
      return TransferredSearch.Column(name: pair[0], kind: kind)
    }
    guard indexed.count == search.columns.count else { return nil }
    return TransferredSearch(columns: indexed, options: search.options)
  }
}
