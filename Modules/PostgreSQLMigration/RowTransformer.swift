import MagicEngine
import MagicMigration
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLTables

/// Calls a closure of the user for each row.
///
/// The values that it sets are first written to temporary tables, one for each column, because their
/// type is known only after the first value. They are copied to the table at the end, so that the
/// closure reads only old rows.
struct RowTransformer {
  let schema: ObjectSchema
  let transform: RowTransform
  /// The number of the declared migration step.
  let step: Int
  let rows: StoredRows
  private let table: StoredTable

  /// The number of rows that are in memory at a time.
  private static let batchSize = 1_000
  /// The number of rows after which the progress is reported.
  private static let reportSize = 10_000

  init(schema: ObjectSchema, transform: RowTransform, step: Int, rows: StoredRows) throws {
    self.schema = schema
    self.transform = transform
    self.step = step
    self.rows = rows
    table = try StoredTable(schema.tableName, storedAs: schema.tableName, rows)
  }

  private var session: EngineSession { rows.session }
  private var quotedTable: String { schema.tableName.quoted }

  /// - Returns: the folded names of the columns that the closure has set.
  func run(_ progress: (MagicMigrationProgress) -> Void) throws -> Set<String> {
    let count = Int(try rows.integer("SELECT count(*) FROM \(quotedTable)"))
    let values = TransformedRows(schema, table, transform, session)
    let names = (["z_index"] + table.columns.map(\.name)).map(\.quoted).joined(separator: ", ")
    let select = PostgreSQLStatement(
      "SELECT \(names) FROM \(quotedTable) WHERE \"z_index\" > $1 ORDER BY \"z_index\" "
        + "LIMIT \(Self.batchSize)", [.bigint])
    var (last, done) = (Int64.min, 0)
    while true {
      try Task.checkCancellation()
      session.fields.removeAll()
      session.fields.append(integer: last)
      let result = try session.run(select, schema)
      for row in 0..<result.count {
        values.begin(result, row)
        do {
          try transform.body(MagicOldRow(values), MagicNewRow(values))
        } catch {
          throw failure(error, " in row \(values.zIndex.rawValue)")
        }
      }
      try values.flush()
      if result.count > 0 { last = values.zIndex.rawValue }
      done += result.count
      if done % Self.reportSize == 0 || result.count < Self.batchSize {
        progress(MagicMigrationProgress(type: schema.typeName, rowsDone: done, rowCount: count))
      }
      if result.count < Self.batchSize { break }
    }
    for column in values.columns { try store(column) }
    // Without rows it is unknown which columns the closure would have set, so all of them count.
    if count == 0 { return Set(table.columns.map(\.name.folded)) }
    return Set(values.columns.map(\.name.folded))
  }

  // MARK: Storing

  /// Copies the values of a column to the table. The planner adds the constraints and indexes again
  /// that its type declares.
  private func store(_ column: TransformedColumn) throws {
    guard let stored = table.columns.first(where: { $0.name == column.name }) else { return }
    let name = column.name.quoted
    let alter = "ALTER TABLE \(quotedTable)"
    for index in table.indexes where index.columns.contains(column.name) {
      try execute("DROP INDEX IF EXISTS \(index.name.quoted)")
    }
    if stored.reference != nil {
      let key = TableDefinition.foreignKey(column.name, of: schema.tableName)
      try execute("\(alter) DROP CONSTRAINT IF EXISTS \(key.quoted)")
      try execute(
        "DELETE FROM magic_relationships WHERE owner = \(schema.tableName.literal) "
          + "AND property = \(column.name.literal)")
    }
    if stored.isRequired { try execute("\(alter) ALTER COLUMN \(name) DROP NOT NULL") }
    if let type = column.type, type != stored.type {
      try refuseOtherValues(of: column, type)
      if stored.isFile {
        try execute("UPDATE \(quotedTable) SET \(name) = NULL WHERE \(name) <> ''")
        let trigger = TableDefinition.assetTrigger(column.name, of: schema.tableName)
        try execute("DROP TRIGGER \(trigger.quoted) ON \(quotedTable)")
      }
      // The old values are not converted: the closure has read them.
      try execute("\(alter) DROP COLUMN \(name)")
      try execute("\(alter) ADD COLUMN \(name) \(type.sql)")
    }
    let value = column.type == nil ? "NULL" : "v.value"
    try execute(
      "UPDATE \(quotedTable) AS t SET \(name) = \(value) FROM \(column.table.quoted) AS v "
        + "WHERE v.\"z_index\" = t.\"z_index\"")
    try execute("DROP TABLE \(column.table.quoted)")
  }

  /// Refuses a closure that sets a column to values of another type in some rows only.
  private func refuseOtherValues(of column: TransformedColumn, _ type: PostgreSQLType) throws {
    let others = try rows.firstRows(
      "SELECT \"z_index\" FROM \(quotedTable) AS t WHERE \(column.name.quoted) IS NOT NULL "
        + "AND NOT EXISTS (SELECT FROM \(column.table.quoted) AS v "
        + "WHERE v.\"z_index\" = t.\"z_index\") ORDER BY \"z_index\"")
    guard !others.isEmpty else { return }
    throw MagicError(
      .migrationFailed,
      "Migration step \(step) of type \(schema.typeName) failed: its closure sets \(column.name) "
        + "to values of type \(type.shortName), but "
        + "\(RowIDText.text(others, ("keeps", "keep"))) a value of another type. Nothing was changed.",
      type: schema.typeName)
  }

  private func execute(_ sql: String) throws { _ = try rows.execute(sql) }

  /// Returns the error for a step whose closure has thrown an error. The text of the error may
  /// contain values, so only its type is used.
  private func failure(_ error: any Error, _ place: String) -> any Error {
    let reason: String
    switch error {
    case let error as MagicError
    where [.cannotDecode, .cannotEncode, .invalidQuery, .wrongType].contains(error.code):
      reason = error.message
    case is CancellationError, is MagicError: return error
    default: reason = "Its closure threw \(type(of: error))."
    }
    return MagicError(
      .migrationFailed,
      "Migration step \(step) of type \(schema.typeName) failed\(place): \(reason) "
        + "Nothing was changed.", type: schema.typeName, cause: error)
  }
}
