import MagicEngine
import MagicRuntime
import MagicSQLite
import MagicSchema
import SQLiteTables

/// The columns of a key that one set of triggers records.
struct RecordedKey {
  /// The places of these columns in the key, and among the recorded columns.
  private let places: [(key: Int, column: Int)]
  /// The number of columns of the key.
  private let count: Int

  init(_ key: [String], in columns: [String]) {
    places = key.indices.compactMap { place in
      columns.firstIndex { $0.isName(key[place]) }.map { (place, $0) }
    }
    count = key.count
  }

  /// Returns the digests of the key of a row, before and after the body.
  ///
  /// - Parameter current: a statement that is at the row; nil if the row does not exist.
  func digests(
    of row: TouchedRows.Row, in touched: TouchedRows, _ current: SQLiteStatement?
  ) -> KeyDigests {
    let none = [ValueDigest?](repeating: nil, count: count)
    var digests = KeyDigests(old: row.existed ? none : [], new: current == nil ? [] : none)
    for place in places {
      if row.existed { digests.old[place.key] = touched.digest(of: row, at: place.column) }
      if let current { digests.new[place.key] = ValueDigest(current.column(place.column)) }
    }
    return digests
  }
}
