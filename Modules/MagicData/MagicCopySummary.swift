import DatabaseTransfer

/// What `MagicData.copy(from:to:progress:)` has copied.
public struct MagicCopySummary: Sendable {
  /// The rows of a table.
  public struct Table: Sendable, Equatable {
    /// The name of the table.
    public let name: String
    /// The number of its rows.
    public let rows: Int
  }

  /// The tables, in the order of their names.
  public let tables: [Table]
  /// The number of members in all collections.
  public let members: Int
  /// The number of assets.
  public let assets: Int
  /// The size of all assets, in bytes.
  public let assetBytes: Int
  /// The names of the types of which only a program knows a part, such as an index over an expression.
  /// In a copy to a file, these are also all types of a database that began on a server, and those that
  /// were migrated there. The first program that uses the type completes its table, as after a change
  /// of the type.
  public let incompleteTypes: [String]
  /// Whether the rows of the destination were read again and compared with the source. Those of CSV and
  /// SQL are not.
  public let isCompared: Bool

  init(_ summary: DatabaseTransfer.Summary) {
    tables = summary.tables.map { Table(name: $0.table, rows: $0.rows) }
    members = summary.members
    assets = summary.assets
    assetBytes = summary.assetBytes
    incompleteTypes = summary.incomplete
    isCompared = summary.isCompared
  }

  /// The number of rows in all tables.
  public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
}
