package import MagicPostgreSQL
package import MagicSchema

/// The statements of one type on one connection. Each is created when it is first needed, and found
/// by its index, not by its SQL.
package final class TypeStatements {
  package let schema: ObjectSchema
  package let table: String
  /// The types of the columns.
  package let types: [PostgreSQLType]
  /// The same, as memory that exists as long as the statements.
  package let typeMemory: UnsafePointer<PostgreSQLType>
  /// The number of rows when all of them were last read; nil before.
  @exclusivity(unchecked) package var rowCount: Int?
  /// The names of the tables and columns of the collections.
  package let links: [LinkNames]
  /// The row ID and the columns of the type.
  private let columns: [String]
  /// The indexes of the columns that the table has beside the row ID.
  package let storedColumns: [Int]
  @exclusivity(unchecked) private var prepared = [PostgreSQLStatement?](
    repeating: nil, count: Kind.allCases.count)
  private let updates = UpdateStatements()
  private let updatesOfMany = UpdateStatements()
  private var others: [String: PostgreSQLStatement] = [:]
  private var rowIDsByColumns: [[Int]: PostgreSQLStatement] = [:]

  package enum Kind: Int, CaseIterable {
    case selectAll, selectAfter, selectListed, selectByPrimary, selectByPrimaries, selectByKeys
    case hasPrimary, hasRow, selectVersions, selectRows, insert, upsert
  }

  package init(_ schema: ObjectSchema) throws {
    self.schema = schema
    table = schema.tableName.quoted
    types = schema.columns.map(\.type)
    columns = [TableDefinition.zIndex] + schema.columns.map(\.name.quoted)
    storedColumns = schema.columns.indices.filter { !schema.columns[$0].isRowID }
    links = try schema.collections.map { try LinkNames($0, of: schema) }
    let memory = UnsafeMutablePointer<PostgreSQLType>.allocate(capacity: max(1, types.count))
    memory.initialize(from: types, count: types.count)
    typeMemory = UnsafePointer(memory)
  }

  deinit { typeMemory.deallocate() }

  /// Returns the selected expressions of rows.
  ///
  /// - Parameter name: the name of the table in the statement; nil for no name.
  package func selected(_ name: String? = nil) -> String {
    let prefix = name.map { "\($0)." } ?? ""
    return columns.map { prefix + $0 }.joined(separator: ", ")
  }

  package func statement(_ kind: Kind) -> PostgreSQLStatement {
    if let statement = prepared[kind.rawValue] { return statement }
    let statement = make(kind)
    prepared[kind.rawValue] = statement
    return statement
  }

  /// Returns a statement that is identified by its SQL.
  package func statement(_ sql: String, _ types: [PostgreSQLType]) -> PostgreSQLStatement {
    if let statement = others[sql] { return statement }
    let statement = PostgreSQLStatement(sql, types)
    others[sql] = statement
    return statement
  }

  /// The statements that were created.
  package var all: [PostgreSQLStatement] {
    let known = prepared.compactMap { $0 }
    return known + known.compactMap(\.together) + updates.all + updatesOfMany.all + others.values
      + rowIDsByColumns.values
  }

  private func make(_ kind: Kind) -> PostgreSQLStatement {
    let select = "SELECT \(selected()) FROM \(table)"
    let order = "ORDER BY \"z_index\""
    switch kind {
    case .selectAll: return PostgreSQLStatement("\(select) \(order)")
    case .selectAfter:
      return PostgreSQLStatement(
        "\(select) WHERE \"z_index\" > $1 \(order) LIMIT $2", [.bigint, .bigint])
    case .selectListed:
      return PostgreSQLStatement(
        "\(select) WHERE \"z_index\" = ANY($1) \(order)", [.bigint.array])
    case .selectByPrimary:
      return PostgreSQLStatement(
        "\(select) WHERE \(primary) = $1", [primaryType],
        together: lookUp(columns, with: primaryColumns))
    case .selectByPrimaries: return selectByValues(primaryColumns)
    case .selectByKeys: return selectByValues(schema.key)
    case .hasPrimary:
      return PostgreSQLStatement(
        "SELECT FROM \(table) WHERE \(primary) = $1", [primaryType],
        together: lookUp([], with: primaryColumns))
    case .hasRow:
      return PostgreSQLStatement("SELECT FROM \(table) WHERE \"z_index\" = $1", [.bigint])
    case .selectVersions:
      let version = schema.version.map { schema.columns[$0].name.quoted } ?? "NULL"
      return PostgreSQLStatement(
        "SELECT \"z_index\", \(version) FROM \(table) WHERE \"z_index\" = ANY($1)",
        [.bigint.array])
    case .selectRows:
      return PostgreSQLStatement(
        "SELECT \"z_index\" FROM \(table) WHERE \"z_index\" = ANY($1)", [.bigint.array])
    case .insert: return PostgreSQLStatement(insert, insertTypes)
    case .upsert: return PostgreSQLStatement(upsert, insertTypes)
    }
  }

  private var primary: String { schema.primary.map { schema.columns[$0].name.quoted } ?? "NULL" }
  private var primaryColumns: [Int] { schema.primary.map { [$0] } ?? [] }
  private var primaryType: PostgreSQLType { schema.primary.map { types[$0] } ?? .bigint }

  /// Selects the rows with values of columns, one array for each column, in their order. The last
  /// column is the index of the values.
  private func selectByValues(_ columns: [Int]) -> PostgreSQLStatement {
    PostgreSQLStatement(
      "SELECT \(selected("r")), v.n FROM \(values(columns.count)) JOIN \(table) AS r "
        + "ON \(hasValues("r", columns)) ORDER BY v.n",
      columns.map { types[$0].array })
  }

  /// Returns the rows `v` of parameters that are arrays: their values `v0`, `v1` and so on, and their
  /// numbers `n`, from 1.
  private func values(_ count: Int) -> String {
    let arrays = (0..<count).map { "$\($0 + 1)" }.joined(separator: ", ")
    let names = (0..<count).map { "v\($0)" } + ["n"]
    return "unnest(\(arrays)) WITH ORDINALITY AS v (\(names.joined(separator: ", ")))"
  }

  /// Returns the condition that a row of the table has the values of a row `v`.
  private func hasValues(_ name: String, _ columns: [Int]) -> String {
    columns.enumerated().map { place, column in
      "\(name).\(schema.columns[column].name.quoted) = v.v\(place)"
    }.joined(separator: " AND ")
  }

  /// Finds the rows with values of columns, one array for each column. The last column is the number of
  /// the values, from 1. Unlike a join, it never reads the whole table, which would conflict with other
  /// transactions that write to it.
  ///
  /// - Parameter selected: the names of the columns before it.
  private func lookUp(_ selected: [String], with columns: [Int]) -> PostgreSQLStatement {
    // A primary that is the row ID has the same name.
    let names = Set(selected).sorted().map { "t.\($0)" }.joined(separator: ", ")
    let result = selected.map { "r.\($0), " }.joined()
    return PostgreSQLStatement(
      "SELECT \(result)v.n FROM \(values(columns.count)) "
        + "CROSS JOIN LATERAL (SELECT \(names) FROM \(table) AS t "
        + "WHERE \(hasValues("t", columns)) OFFSET 0) AS r",
      columns.map { types[$0].array })
  }

  /// Selects the IDs of the rows with values of columns.
  package func rowIDs(with columns: [Int]) -> PostgreSQLStatement {
    if let statement = rowIDsByColumns[columns] { return statement }
    let statement = lookUp([TableDefinition.zIndex], with: columns)
    rowIDsByColumns[columns] = statement
    return statement
  }

  // MARK: Writing

  /// The types of the row ID and the stored columns.
  private var insertTypes: [PostgreSQLType] { [.bigint] + storedColumns.map { types[$0] } }

  private var insertedColumns: String {
    ([TableDefinition.zIndex] + storedColumns.map { schema.columns[$0].name.quoted })
      .joined(separator: ", ")
  }

  private var insert: String {
    let parameters = (0...storedColumns.count).map { "$\($0 + 1)" }.joined(separator: ", ")
    return "INSERT INTO \(table) (\(insertedColumns)) VALUES (\(parameters))"
  }

  /// Inserts a row, or updates the row that has its primary value. Returns the row ID, and the new
  /// version of an updated row.
  private var upsert: String {
    var assignments = storedColumns.enumerated().compactMap { place, column -> String? in
      let name = schema.columns[column].name.quoted
      if column == schema.version { return "\(name) = \(table).\(name) + 1" }
      return "\(name) = $\(place + 2)"
    }
    if assignments.isEmpty { assignments = ["\"z_index\" = \(table).\"z_index\""] }
    let version = schema.version.map { schema.columns[$0].name.quoted } ?? "NULL::bigint"
    // A new row has no transaction that has locked it.
    return "\(insert) ON CONFLICT (\(primary)) DO UPDATE "
      + "SET \(assignments.joined(separator: ", ")) "
      + "RETURNING \"z_index\", CASE WHEN xmax <> 0 THEN \(version) END"
  }

  /// The beginning of the COPY of new rows.
  package var copy: String { "COPY \(table) (\(insertedColumns)) FROM STDIN (FORMAT binary)" }

  /// The same in a savepoint, which is restored if a unique value exists.
  package var copyInSavepoint: String {
    "SAVEPOINT \(Self.copySavepoint); \(copy); RELEASE \(Self.copySavepoint)"
  }

  package static var copySavepoint: String { "magic_copy" }

  /// Updates columns of a row. The last parameter is the row ID.
  ///
  /// - Parameter retire: receives statements that are not kept any more.
  package func update(
    _ columns: ColumnSet, retire: (PostgreSQLStatement) -> Void
  ) -> PostgreSQLStatement {
    updates.statement(columns, retire) {
      let indices = Array(columns.indices)
      let assignments = indices.enumerated().map { place, column in
        "\(schema.columns[column].name.quoted) = $\(place + 1)"
      }
      return PostgreSQLStatement(
        "UPDATE \(table) SET \(assignments.joined(separator: ", ")) "
          + "WHERE \"z_index\" = $\(indices.count + 1)",
        indices.map { types[$0] } + [.bigint])
    }
  }

  /// Updates columns of several rows, whose row IDs are distinct. Each parameter is an array: those of the
  /// columns, and the row IDs. Returns the numbers of the updated rows, from 1.
  ///
  /// - Parameter retire: receives statements that are not kept any more.
  package func updateMany(
    _ columns: ColumnSet, retire: (PostgreSQLStatement) -> Void
  ) -> PostgreSQLStatement {
    updatesOfMany.statement(columns, retire) {
      let indices = Array(columns.indices)
      let assignments = indices.enumerated().map { place, column in
        "\(schema.columns[column].name.quoted) = v.v\(place)"
      }
      return PostgreSQLStatement(
        "UPDATE \(table) AS r SET \(assignments.joined(separator: ", ")) "
          + "FROM \(values(indices.count + 1)) "
          + "WHERE r.\"z_index\" = v.v\(indices.count) RETURNING v.n",
        indices.map { types[$0].array } + [.bigint.array])
    }
  }
}
