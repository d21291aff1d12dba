import MagicEngine
import MagicRuntime
import MagicSQLite
import MagicSchema
import SQLiteTables

/// The columns of a key that one set of triggers records, and their values in the recorded rows.
struct RecordedKey {
  /// The names of these columns in the file.
  let names: [String]
  /// Their places in the key, and among the recorded columns.
  private let places: [(key: Int, column: Int)]
  /// The number of columns of the key.
  private let count: Int
  /// The index of the first of the current values in a recorded row.
  private let firstValue: Int

  init(_ key: [String], in columns: [String], at firstValue: Int) {
    places = key.indices.compactMap { place in
      columns.firstIndex { $0.isName(key[place]) }.map { (place, $0) }
    }
    names = places.map { columns[$0.column] }
    count = key.count
    self.firstValue = firstValue
  }

  /// Returns the digests of the recorded row at which a statement is.
  func digests(in row: SQLiteStatement) -> KeyDigests {
    let none = [ValueDigest?](repeating: nil, count: count)
    let (recorded, exists) = (row.column(1), !row.column(2).isNull)
    var digests = KeyDigests(old: recorded.isNull ? [] : none, new: exists ? none : [])
    for (index, place) in places.enumerated() {
      if !recorded.isNull {
        digests.old[place.key] = ValueDigest(recorded.blobBytes, at: place.column)
      }
      if exists { digests.new[place.key] = ValueDigest(row.column(firstValue + index)) }
    }
    return digests
  }
}
