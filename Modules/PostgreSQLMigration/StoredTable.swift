import MagicMigration
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLTables

/// The description of a type's table. A plan changes it as its operations will change the table.
struct StoredTable {
  /// The name after the planned renaming.
  var name: String
  /// The name that the table has now.
  let storedName: String
  var columns: [StoredColumn]
  var collections: [StoredCollection]
  var indexes: [StoredIndex]

  func column(named name: String) -> Int? { columns.firstIndex { $0.name.isName(name) } }

  func collection(named name: String) -> Int? { collections.firstIndex { $0.name.isName(name) } }

  func has(_ name: String) -> Bool { column(named: name) != nil || collection(named: name) != nil }
}

/// A column of a type's table.
struct StoredColumn {
  /// The source of the values that the column will have.
  enum Values: Equatable {
    /// They are now in the column with this name.
    case stored(String)
    /// The code of a migration step sets them.
    case unknown
    /// All values are NULL, or the default.
    case none
  }

  var name: String
  var values: Values
  /// The type of the column; nil if the code of a migration step determines it.
  var type: PostgreSQLType?
  /// The collation; nil if texts are compared by their bytes.
  var collation: MagicCollation?
  var isRequired: Bool
  /// The relationship of a column with a foreign key.
  var reference: Relationship?
  var isFile: Bool
  /// Whether a step has added the column or set its values, so that it has no foreign key and no
  /// trigger.
  var isFree = false

  /// What the column contains, for messages.
  var kindText: String {
    if let reference { return "a reference to a \(reference.target)" }
    if isFile { return "an asset" }
    return "a column of type \(type?.shortName ?? "unknown")"
  }
}

/// A collection of a type: its join table.
struct StoredCollection {
  var name: String
  var joinTable: String
  /// The join table that exists now.
  let storedTable: String
  /// The table of the members.
  var target: String
  let rule: MagicDeleteRule
  let kind: LinkKind
  /// The type of a dictionary's keys.
  let keyType: PostgreSQLType?

  /// The column that orders the members.
  var orderColumn: String {
    switch kind {
    case .list: "position"
    case .set: "target"
    case .dictionary: "key"
    }
  }
}

/// An index of a type's table.
struct StoredIndex {
  let name: String
  var columns: [String]
  /// The columns whose texts the index compares without the case of letters.
  var foldedColumns: [String]
  let isUnique: Bool
  /// Whether the index is complete: not what an interrupted `CREATE INDEX CONCURRENTLY` has left.
  let isValid: Bool

  mutating func rename(_ column: String, to name: String) {
    columns = columns.map { $0 == column ? name : $0 }
    foldedColumns = foldedColumns.map { $0 == column ? name : $0 }
  }

  /// Whether the index is complete and is one over columns of a table.
  func serves(_ columns: [String], isUnique: Bool, of definition: TableDefinition) -> Bool {
    isValid && self.columns == columns && self.isUnique == isUnique
      && foldedColumns
        == columns.filter { definition.collation(of: $0)?.kind == .caseInsensitive }
  }
}

extension PostgreSQLType {
  /// The name of the type without its collation, for messages.
  var shortName: String { self == .text ? "text" : sql }
}
