import MagicEngine
import MagicSchema
import SQLiteTables

/// What the recorder knows of a type while the same observers exist.
struct RecordedType {
  /// The number of the set of observers.
  let generation: UInt64
  let names: TableNames
  /// The case-folded name of the type's table.
  let table: String
  /// The name of the primary; empty if there is none, nil if the type is unknown.
  let primary: String?
  /// The names of the columns of the key; empty if there is none, or the type is unknown.
  let key: [String]
  /// Where the primary is found among the columns that a set of triggers records; nil if it is not.
  let recordedPrimary: Primary?
  /// The columns of the key that the triggers record; nil if there is no key.
  let recordedKey: RecordedKey?

  /// Where the primary of a row is found.
  enum Primary {
    case rowID
    case column(Int)
  }

  /// - Parameter columns: the columns that the triggers record.
  init(
    generation: UInt64, names: TableNames, table: String, primary: String?, key: [String],
    columns: [String]
  ) {
    (self.generation, self.names, self.table) = (generation, names, table)
    (self.primary, self.key) = (primary, key)
    recordedPrimary = Self.place(of: primary, in: columns)
    recordedKey = key.isEmpty ? nil : RecordedKey(key, in: columns)
  }

  /// Returns where the primary is found; nil if there is none in the columns.
  static func place(of primary: String?, in columns: [String]) -> Primary? {
    guard let primary, !primary.isEmpty else { return nil }
    if primary == TableSQL.zIndex { return .rowID }
    return columns.firstIndex { $0.isName(primary) }.map(Primary.column)
  }
}

extension CommittedChanges {
  /// Adds changes of rows of a type.
  mutating func add(_ rows: [RowChange], keys: [Int64: KeyDigests] = [:], of type: RecordedType) {
    guard let index = tables.index(of: type.table) else {
      tables[type.table] = TableChanges(
        names: type.names, rows: rows, hasRecordedPrimaries: type.primary != nil,
        keys: type.key.isEmpty ? nil : keys)
      return
    }
    tables.list[index].changes.update(rows)
    if !keys.isEmpty { tables.list[index].changes.add(keys: keys) }
  }
}
