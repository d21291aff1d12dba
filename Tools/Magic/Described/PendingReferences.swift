@_spi(Tools) import MagicData

/// References to objects of the imported type that no record before has saved. Later records can save these
/// objects, so the rows are written without the references first.
struct PendingReferences {
  /// A column of a row.
  struct Cell: Hashable {
    let row: Int64
    /// The index of the property.
    let property: Int
  }

  struct Reference {
    let cell: Cell
    /// What identifies the object.
    let key: MagicSQLValue
    /// The record that contains the reference.
    let place: MagicRecordReader.Place
    fileprivate let number: Int
  }

  private var references: [Cell: Reference] = [:]
  private var count = 0

  /// Replaces what is known of a cell that a record writes.
  ///
  /// - Parameter key: what identifies the object; nil if the record contains no pending reference.
  mutating func set(_ cell: Cell, to key: MagicSQLValue?, from place: MagicRecordReader.Place) {
    guard let key else {
      if !references.isEmpty { references[cell] = nil }
      return
    }
    references[cell] = Reference(cell: cell, key: key, place: place, number: count)
    count += 1
  }

  /// A number that no row ID is, and no cell of another row has: that of a column which is not optional, until its
  /// reference is known. The foreign keys of the tables are checked at the end of the transaction.
  var placeholder: Int64 { .min + Int64(count) }

  /// Removes and returns the references, in the order of their records.
  mutating func removeAll() -> [Reference] {
    defer { references.removeAll() }
    return references.values.sorted { $0.number < $1.number }
  }
}
