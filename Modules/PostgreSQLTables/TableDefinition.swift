import MagicEngine
import MagicPostgreSQL
package import MagicSchema
package import Magical
import PostgreSQLQueries

/// The SQL that creates the tables of a type.
///
/// Names of indexes and constraints contain a hash, because PostgreSQL shortens names of more than
/// 63 bytes.
package struct TableDefinition {
  package let schema: ObjectSchema

  package init(schema: ObjectSchema) { self.schema = schema }

  package static let zIndex = "\"z_index\""
  /// The number of row IDs that a connection reserves at once.
  package static let blockSize: Int64 = 1_000

  private var table: String { schema.tableName.quoted }

  // MARK: Names

  package static func index(_ columns: [String], of table: String, isUnique: Bool) -> String {
    let name = IndexSchema(table: table, columns: columns, isUnique: isUnique).name
    return "magic_index_" + ObjectSchema.fingerprint(of: name)
  }

  package static func foreignKey(_ column: String, of table: String) -> String {
    "magic_key_" + ObjectSchema.fingerprint(of: "\(table)\u{1F}\(column)")
  }

  /// The sequence of the row IDs of a table.
  package static func sequence(of table: String) -> String {
    "magic_ids_" + ObjectSchema.fingerprint(of: table)
  }

  /// The sequence of the auto-increment primaries of a table.
  package static func primaries(of table: String) -> String {
    "magic_primaries_" + ObjectSchema.fingerprint(of: table)
  }

  /// Returns the columns of the index or foreign key with a name; empty if there is none.
  package static func columns(ofConstraint name: String, in schema: ObjectSchema) -> [Int] {
    let definition = TableDefinition(schema: schema)
    if name == schema.tableName + "_pkey" {
      return schema.columns.indices.filter { schema.columns[$0].isRowID }
    }
    let index = definition.indexes.first {
      Self.index($0.columns, of: schema.tableName, isUnique: $0.isUnique) == name
    }
    if let index {
      return index.columns.compactMap { column in
        schema.columns.firstIndex { $0.name == column }
      }
    }
    return schema.toOnes.map(\.column).filter {
      foreignKey(schema.columns[$0].name, of: schema.tableName) == name
    }
  }

  /// - Throws: `MagicError` with `.invalidSchema` if PostgreSQL would shorten a name.
  package func checkNames() throws {
    try Self.checkNames(
      [schema.tableName] + schema.columns.map(\.name)
        + schema.storedCollections.map { $0.joinTable(of: schema) }, type: schema.typeName)
  }

  /// - Throws: `MagicError` with `.invalidSchema` if PostgreSQL would shorten a name of a type's table.
  package static func checkNames(_ names: [String], type: String) throws {
    for name in names where name.utf8.count > 63 {
      throw MagicError(
        .invalidSchema,
        "The name \(name) is longer than the 63 bytes that PostgreSQL permits. Give the table or the "
          + "property a shorter name.", type: type)
    }
  }

  // MARK: Statements

  /// The columns of the indexes.
  package var indexes: [(columns: [String], isUnique: Bool)] {
    var indexes = schema.columns.filter { $0.isUnique || $0.isIndexed && !$0.isRowID }
      .map { (columns: [$0.name], isUnique: $0.isUnique) }
    for index in schema.indexes
    where index.computed == nil
      && !indexes.contains(where: { $0.columns == index.columns && $0.isUnique == index.isUnique })
    {
      indexes.append((index.columns, index.isUnique))
    }
    return indexes
  }

  /// Returns the definition of a column.
  package func definition(of column: ColumnSchema) -> String {
    "\(column.name.quoted) \(column.typeSQL)\(column.isNullable ? "" : " NOT NULL")"
  }

  /// Creates the table of the rows.
  package var createTable: [String] {
    let columns = schema.columns.filter { !$0.isRowID }.map(definition)
    let all = ["\(Self.zIndex) bigint PRIMARY KEY"] + columns
    let ids = Self.sequence(of: schema.tableName).quoted
    var statements = [
      "CREATE TABLE \(table) (\(all.joined(separator: ", ")))",
      "CREATE SEQUENCE \(ids) INCREMENT \(Self.blockSize)",
    ]
    if schema.countedColumn != nil {
      statements.append("CREATE SEQUENCE \(Self.primaries(of: schema.tableName).quoted)")
    }
    return statements
  }

  /// Creates the indexes that do not exist.
  package var createIndexes: [String] {
    indexes.map { createIndex($0.columns, isUnique: $0.isUnique) }
  }

  /// Creates an index over columns, unless it exists.
  ///
  /// - Parameter isConcurrent: whether writes continue meanwhile. Not possible in a transaction.
  package func createIndex(
    _ columns: [String], isUnique: Bool, isConcurrent: Bool = false
  ) -> String {
    Self.createIndex(
      columns, of: schema.tableName, isUnique: isUnique, isConcurrent: isConcurrent,
      collation: collation(of:))
  }

  /// Creates an index over columns of a table, unless it exists.
  ///
  /// - Parameter collation: returns the collation of a column.
  package static func createIndex(
    _ columns: [String], of table: String, isUnique: Bool, isConcurrent: Bool = false,
    collation: (String) -> MagicCollation?
  ) -> String {
    let name = index(columns, of: table, isUnique: isUnique)
    let list = keys(of: columns, collation: collation).joined(separator: ", ")
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(isConcurrent ? "CONCURRENTLY " : "")"
      + "IF NOT EXISTS \(name.quoted) ON \(table.quoted) (\(list))"
  }

  /// Returns the SQL of the values by which an index over columns finds rows.
  package static func keys(
    of columns: [String], collation: (String) -> MagicCollation?
  ) -> [String] {
    columns.map { MagicCollation.indexed($0.quoted, collation($0)) }
  }

  /// Returns the collation of a column.
  package func collation(of column: String) -> MagicCollation? {
    schema.columns.first { $0.name == column }?.collation
  }

  /// Creates the foreign keys of columns. The tables that they refer to must exist.
  package func createForeignKeys(of columns: [Int]) throws -> [String] {
    try schema.toOnes.filter { columns.contains($0.column) }.map { column, toOne in
      Self.createForeignKey(
        toOne.name, of: schema.tableName, to: try toOne.target.tableName)
    }
  }

  /// Creates the foreign key of a column.
  package static func createForeignKey(
    _ column: String, of table: String, to target: String
  ) -> String {
    "ALTER TABLE \(table.quoted) ADD CONSTRAINT \(foreignKey(column, of: table).quoted) "
      + "FOREIGN KEY (\(column.quoted)) \(reference(to: target))"
  }

  /// The clause of a foreign key, which is checked at the end of the transaction.
  private static func reference(to table: String) -> String {
    "REFERENCES \(table.quoted) DEFERRABLE INITIALLY DEFERRED"
  }

  /// Creates the join table of a collection and its index.
  package func createJoinTable(_ column: CollectionColumn) throws -> [String] {
    Self.createJoinTable(
      column.joinTable(of: schema), column.kind, owner: schema.tableName,
      target: try column.target.tableName, keys: column.makeKeys()?.storageClass ?? .blob)
  }

  /// Creates a join table and its index.
  private static func createJoinTable(
    _ name: String, _ kind: LinkKind, owner: String, target: String, keys: MagicalStorageClass
  ) -> [String] {
    let parts =
      joinColumns(kind, keys) + joinConstraints(kind, owner: owner, target: target)
    return [
      "CREATE TABLE IF NOT EXISTS \(name.quoted) (\(parts.joined(separator: ", ")))",
      createJoinIndex(of: name),
    ]
  }

  /// The columns of a join table.
  ///
  /// - Parameter keys: the storage class of a dictionary's keys.
  package static func joinColumns(_ kind: LinkKind, _ keys: MagicalStorageClass) -> [String] {
    let key: [String] =
      switch kind {
      case .list: ["\"position\" bigint NOT NULL"]
      case .set: []
      case .dictionary: ["\"key\" \(PostgreSQLType(keys).sql) NOT NULL"]
      }
    return ["\"owner\" bigint NOT NULL"] + key + ["\"target\" bigint NOT NULL"]
  }

  /// The keys of a join table.
  package static func joinConstraints(
    _ kind: LinkKind, owner: String, target: String
  ) -> [String] {
    let key = kind.keyColumn ?? "target"
    return [
      "PRIMARY KEY (\"owner\", \(key.quoted))",
      "FOREIGN KEY (\"owner\") \(reference(to: owner))",
      "FOREIGN KEY (\"target\") \(reference(to: target))",
    ]
  }

  /// Creates the index that finds the owners of a member.
  package static func createJoinIndex(of name: String) -> String {
    let index = self.index(["target", "owner"], of: name, isUnique: false)
    return "CREATE INDEX IF NOT EXISTS \(index.quoted) ON \(name.quoted) (\"target\", \"owner\")"
  }
}

extension ObjectSchema {
  /// The column whose values the database counts: an auto-increment primary, or a primary that is the
  /// row ID.
  package var countedColumn: Int? {
    primary.flatMap { columns[$0].isRowID ? $0 : autoIncrementPrimary }
  }
}
