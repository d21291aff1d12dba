package import Magical
package import MagicSchema

/// The SQL that creates a type's table, its indexes and its triggers.
package struct TableSQL {
  package let schema: ObjectSchema

  package init(schema: ObjectSchema) {
    self.schema = schema
  }

  private var table: String { schema.tableName.quoted }

  func create() throws -> [String] {
    try [createTable(as: schema.tableName)]
      + schema.indexes.map(create) + [createHighWaterTrigger] + AssetTriggers(schema).create
      + (SearchTable(schema).map { $0.drop + $0.create } ?? [])
  }

  /// Returns the SQL that creates the table and its join tables.
  package func createAll() throws -> [String] { try create() + links.flatMap { try $0.create() } }

  /// Returns the SQL that creates only the table, under its own or another name.
  ///
  /// - Parameter owned: the columns of owned lists, which follow those of the type.
  package func createTable(as name: String, owned: [OwnedColumns] = []) throws -> String {
    let columns =
      try ["\(Self.zIndex.quoted) INTEGER PRIMARY KEY"]
      + schema.columns.filter { !$0.isRowID }.map(definition)
      + owned.flatMap(\.definitions)
    return "CREATE TABLE \(name.quoted) (\(columns.joined(separator: ", ")))"
  }

  /// Returns the names of all triggers of the type's table.
  package static func triggers(ofTable table: String, links: [String]) -> [String] {
    ([highWater] + AssetTriggers.suffixes + SearchTable.triggerSuffixes).map { table + $0 }
      + links.map(LinkTable.cascade)
  }

  private static let highWater = " high water"

  /// The join tables of the collections, except those through a join type.
  package var links: [LinkTable] {
    schema.storedCollections.map { LinkTable(owner: schema, column: $0) }
  }

  package static let zIndex = "z_index"

  package func definition(_ column: ColumnSchema) throws -> String {
    let type = Self.declaredType(column.storageClass)
    var definition =
      "\(column.name.quoted)\(type.isEmpty ? "" : " \(type)")"
      + (column.collation.map { " COLLATE \($0.sql)" } ?? "")
      + (column.isNullable ? "" : " NOT NULL")
    if let toOne = column as? ToOneColumn {
      let target = try toOne.target.tableName
      definition += " " + ForeignKey.clause(to: target, rule: toOne.deleteRule)
    }
    return definition
  }

  /// Returns the declared type of a column. Real columns have none, because the REAL affinity turns
  /// −0.0 into 0.
  package static func declaredType(_ storageClass: MagicalStorageClass) -> String {
    storageClass == .real ? "" : storageClass.rawValue
  }

  package func create(_ index: IndexSchema) -> String {
    let condition = index.condition.map { " WHERE \($0)" } ?? ""
    return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.name.quoted) "
      + "ON \(table) (\(index.list.joined(separator: ", ")))\(condition)"
  }

  /// The SQL of the trigger that records the row ID of a deleted last row, so that it is never used
  /// again.
  ///
  /// Only rows that this store created count, if the file is shared: see ``RowIDRange``.
  ///
  /// AUTOINCREMENT has the same effect, but writes twice for each insert: 35 ms more for 100,000
  /// rows that take 175 ms.
  package var createHighWaterTrigger: String { Self.createHighWaterTrigger(of: schema.tableName) }

  package static func replaceHighWaterTrigger(of table: String) -> [String] {
    ["DROP TRIGGER IF EXISTS \((table + highWater).quoted)", createHighWaterTrigger(of: table)]
  }

  package static func createHighWaterTrigger(of table: String) -> String {
    """
    CREATE TRIGGER IF NOT EXISTS \((table + highWater).quoted) AFTER DELETE ON \(table.quoted) \
    WHEN OLD."z_index" > ifnull((SELECT max("z_index") FROM \(table.quoted) \
    WHERE "z_index" < (OLD."z_index" >> 32) + 1 << 32), 0) BEGIN \
    UPDATE "magic_catalogue" SET "high_water" = OLD."z_index" \
    WHERE "table_name" = \(table.literal) AND "high_water" < OLD."z_index" \
    AND (SELECT "store_number" IN (0, OLD."z_index" >> 32) FROM "magic_format"); END
    """
  }
}

extension IndexSchema {
  /// The SQL of the columns or expressions, in order.
  package var list: [String] {
    guard let computed, !computed.expressions.isEmpty else { return columns.map(\.quoted) }
    return computed.expressions.map(\.definition)
  }

  /// The SQL of the condition of a partial index; nil if the index contains all rows.
  package var condition: String? { computed?.predicate?.definition }
}
