import Foundation
package import MagicSchema
import Magical
import SQLiteTables

/// The table of a type, as both engines describe it.
package struct TransferredTable {
  package struct Column {
    /// What the row IDs in a column refer to.
    package struct Reference {
      package let table: String
      package let rule: MagicDeleteRule

      package init(table: String, rule: MagicDeleteRule) {
        (self.table, self.rule) = (table, rule)
      }
    }

    package let name: String
    package let kind: TransferredKind
    package let isNullable: Bool
    /// Whether the values are names of assets.
    package var isAsset = false
    /// What the row IDs in the column refer to; nil for other columns.
    package var target: Reference?
    /// The name of the collation in SQLite; nil if texts are compared by their bytes.
    package var collation: String?

    /// The collation; nil if texts are compared by their bytes, or by a collation that is not the
    /// library's.
    package var textCollation: MagicCollation? {
      get { collation.flatMap { MagicCollation(sqliteName: $0) } }
      set { collation = newValue?.sqliteName }
    }

    package init(
      name: String, kind: TransferredKind, isNullable: Bool, isAsset: Bool = false,
      target: Reference? = nil, collation: String? = nil
    ) {
      (self.name, self.kind, self.isNullable) = (name, kind, isNullable)
      (self.isAsset, self.target, self.collation) = (isAsset, target, collation)
    }
  }

  /// The names of its properties are keys of an exported database.
  package struct Index: Equatable, Codable {
    package let columns: [String]
    package let isUnique: Bool

    package init(columns: [String], isUnique: Bool) {
      (self.columns, self.isUnique) = (columns, isUnique)
    }
  }

  package let name: String
  package let typeName: String
  /// The number of the last migration step that was run on the table.
  package let version: Int64
  package let fingerprint: String
  /// Whether only the type knows a part of the table, for example an index over an expression. The
  /// copy then has no fingerprint, and the first program that uses the type completes the table.
  package var isPartial = false
  /// Whether what only files have is known: owned lists and search indexes.
  package var hasFileDescription = true
  package var columns: [Column]
  package var indexes: [Index]
  package var collections: [TransferredCollection]
  /// Empty if the database does not describe the properties.
  package var properties: [StoredProperty]
  package var search: TransferredSearch?
  /// The highest row ID that was ever assigned, and the highest auto-increment primary.
  package var lastRowID: Int64 = 0
  package var lastPrimary: Int64 = 0
  /// Whether the source is known to count auto-increment primaries, or row IDs as primaries.
  package var countsPrimaries = false

  package init(
    name: String, typeName: String, version: Int64, fingerprint: String, columns: [Column] = [],
    indexes: [Index] = [], collections: [TransferredCollection] = [],
    properties: [StoredProperty] = []
  ) {
    (self.name, self.typeName, self.version) = (name, typeName, version)
    (self.fingerprint, self.columns, self.indexes) = (fingerprint, columns, indexes)
    (self.collections, self.properties) = (collections, properties)
  }

  /// Whether the primary property is the row ID.
  package var hasRowIDPrimary: Bool {
    properties.contains { $0.column == Self.rowID && $0.form == .value(.integer) }
  }

  /// Whether a column can be an auto-increment primary. Neither engine records which one is.
  package var mayCountPrimaries: Bool {
    indexes.contains { index in
      index.isUnique && index.columns.count == 1
        && columns.contains {
          $0.name == index.columns[0] && $0.kind == .integer && !$0.isNullable && $0.target == nil
        }
    }
  }

  package static let rowID = "z_index"
}

/// The members of a collection.
package struct TransferredCollection {
  package let property: String
  package let kind: LinkKind
  /// Whether a member has one owner. SQLite then stores it in the row of the member.
  package let isOwned: Bool
  package let target: String
  package let rule: MagicDeleteRule
  /// The join table. An owned list has one in PostgreSQL only.
  package let joinTable: String
  /// The kind of the keys of a dictionary; `integer` for the positions of a list.
  package let keys: TransferredKind

  package init(
    property: String, kind: LinkKind, isOwned: Bool, target: String, rule: MagicDeleteRule,
    joinTable: String, keys: TransferredKind
  ) {
    (self.property, self.kind, self.isOwned) = (property, kind, isOwned)
    (self.target, self.rule, self.joinTable, self.keys) = (target, rule, joinTable, keys)
  }

  /// The column between the owner and the member; nil for a set.
  package var keyColumn: String? { kind.keyColumn }
}

/// The search index of a table: the indexed columns, and the options of SQLite's full-text table.
package struct TransferredSearch: Equatable {
  package struct Column: Equatable {
    package let name: String
    package let kind: SearchSchema.Kind

    package init(name: String, kind: SearchSchema.Kind) { (self.name, self.kind) = (name, kind) }
  }

  package let columns: [Column]
  package let options: String

  /// - Returns: nil if the options have another form than the library gives them. They are a part of a
  ///   statement.
  package init?(columns: [Column], options: String) {
    let form = #"^tokenize='[a-z0-9_ ]+'(, prefix='[0-9 ]+')?$"#
    guard !columns.isEmpty, options.range(of: form, options: .regularExpression) != nil else {
      return nil
    }
    (self.columns, self.options) = (columns, options)
  }
}
