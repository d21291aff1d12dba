import MagicEngine
import MagicSchema
import Magical
import SQLiteTables

/// Plans the copy of a foreign table's rows into a table with the columns of the type.
///
/// The new table has row IDs, and its columns have no declared types. To-one columns contain row IDs
/// in it, and other values the form that the library stores. The later changes of the migration and
/// the table planner then treat it as a table whose rows a closure has written: they check the
/// values, and rebuild it.
struct AdoptionPlanner {
  let adoptions: TableAdoptions
  let rows: any RowQueries
  let adoption: TableAdoption
  /// The changes of the type's migrations from the adoption on.
  let changes: ArraySlice<PendingChange>
  let dates: MagicDateFormat?
  var refusals: [String] = []
  /// Whether the copy loses references to rows that do not exist.
  var isDestroying = false
  /// The columns that are copied, in the order of the foreign table.
  var columns: [AdoptedColumn] = []

  var schema: ObjectSchema { adoption.schema }
  var table: ForeignTable { adoption.table }
  var catalogue: Catalogue { adoptions.catalogue }
  private var newTable: String { (TableRebuild.prefix + schema.tableName).quoted }

  init(
    _ adoption: TableAdoption, _ changes: ArraySlice<PendingChange>, _ adoptions: TableAdoptions,
    _ rows: any RowQueries
  ) {
    self.adoptions = adoptions
    self.rows = rows
    self.adoption = adoption
    self.changes = changes
    if case .adopt(_, let dates)? = changes.first?.change.kind {
      self.dates = dates
    } else {
      dates = nil
    }
  }

  /// Returns the operation that copies the rows, and the description of the table after it.
  mutating func plan(
    _ description: TableDescription
  ) throws -> (operation: MigrationOperation, table: TableDescription) {
    try refuseTable()
    guard refusals.isEmpty else { return (operation([]), description) }
    for name in table.columns { columns.append(try adopted(name)) }
    let joinTables = try adoptedJoinTables()
    let renamings = try self.renamings()
    var copied = description
    describe(&copied, joinTables)
    let statements =
      [
        "CREATE TABLE \(newTable) ("
          + (["\"z_index\" INTEGER PRIMARY KEY"] + columns.map(\.name.quoted))
          .joined(separator: ", ") + ")",
        "INSERT INTO \(newTable) \(try select(isPlanned: true)) ORDER BY 1",
      ] + joinTables.flatMap(\.statements) + highWater + relationships(copied) + renamings + [
        "DROP TABLE \(table.name.quoted)",
        "ALTER TABLE \(newTable) RENAME TO \(schema.tableName.quoted)",
      ]
    copied.adoptedRows = refusals.isEmpty ? try select(isPlanned: false) : nil
    return (operation(statements), copied)
  }

  private func operation(_ statements: [String]) -> MigrationOperation {
    let number = changes.first?.number ?? 0
    return MigrationOperation(
      MagicMigrationPlan.Step(
        type: schema.typeName, kind: isDestroying ? .destroying : .rewriting,
        summary: "step \(number), the rows of the table \(table.name) are adopted", sql: statements,
        refusal: refusals.isEmpty ? nil : refusals.joined(separator: "; ")),
      .replacement, ofStep: number)
  }

  /// The query for the rows with their new values.
  private func select(isPlanned: Bool) throws -> String {
    let values = columns.map { "\($0.value) AS \($0.name.quoted)" }
    let joins = try columns.compactMap(\.reference).map { try join($0, isPlanned: isPlanned) }
    return "SELECT row.\"z_index\", \(values.joined(separator: ", ")) "
      + "FROM \(table.rows(isPlanned: isPlanned)) AS row" + joins.joined()
  }

  func join(_ reference: AdoptedReference, isPlanned: Bool) throws -> String {
    guard let target = try referenced(reference, isPlanned: isPlanned) else { return "" }
    return " LEFT JOIN \(target.rows) AS \(reference.alias) "
      + "ON \(reference.alias).\(target.key.quoted) = \(target.value("row.\(reference.column.quoted)"))"
  }

  // MARK: What cannot be adopted

  private mutating func refuseTable() throws {
    refuseDependents(of: table)
    if table.isVirtual { refusals.append("it is a virtual table") }
    if table.columns.contains(where: { $0.isName(TableSQL.zIndex) }) {
      refusals.append("it has a column z_index, which is the name of the row ID in the new table")
    }
    guard let number = table.number else {
      refusals.append(
        "its columns have the names rowid, _rowid_ and oid, so its rows have no order")
      return
    }
    guard !table.isVirtual, refusals.isEmpty else { return }
    let negative = try rows.firstRows(
      "SELECT \"z_index\" FROM (SELECT \(number) AS \"z_index\" FROM \(table.storedName.quoted)) "
        + "WHERE \"z_index\" < 1")
    if !negative.isEmpty {
      refusals.append("\(RowIDText.text(negative, RowIDText.have)) a row ID below 1")
    }
  }

  mutating func refuseDependents(of table: ForeignTable) {
    guard !table.dependents.isEmpty else { return }
    refusals.append(
      "drop \(table.dependents.joined(separator: ", ")) first, because the table "
        + "\(table.name) is replaced")
  }

  // MARK: The catalogue

  /// Row IDs and primary values that an AUTOINCREMENT table has used are not assigned again.
  private var highWater: [String] {
    guard table.hasSequence else { return [] }
    let used = "max(0, CAST(\"seq\" AS INTEGER))"
    return [
      "INSERT OR REPLACE INTO \"magic_catalogue\" (\"table_name\", \"type_name\", "
        + "\"fingerprint\", \"high_water\", \"primary_high_water\") "
        + "SELECT \(schema.tableName.literal), \(schema.typeName.literal), '', "
        + "\(used), \(used) FROM \"sqlite_sequence\" WHERE \"name\" = \(table.name.literal)"
    ]
  }

  /// The relationships are recorded before the table has its schema, so that changes of row IDs find
  /// the references.
  private func relationships(_ copied: TableDescription) -> [String] {
    (copied.columns.compactMap(\.toOne) + copied.collections.map(\.relationship)).map {
      "INSERT OR REPLACE INTO \"magic_relationships\" VALUES (\($0.owner.literal), "
        + "\($0.column.literal), \($0.kind.literal), \($0.target.literal), \($0.rule.literal), "
        + "\($0.linkTable?.literal ?? "NULL"))"
    }
  }

  // MARK: The table after the copy

  private func describe(_ copied: inout TableDescription, _ joinTables: [AdoptedJoinTable]) {
    copied.name = schema.tableName
    copied.columns = columns.map { column in
      TableDescription.Column(
        name: column.name, type: "", isRequired: false, isKey: false, isFile: false,
        toOne: column.relationship, values: .stored(as: column.name), isFree: true)
    }
    copied.columns.insert(
      TableDescription.Column(
        name: TableSQL.zIndex, type: "INTEGER", isRequired: true, isKey: true, isFile: false,
        values: .stored(as: TableSQL.zIndex)), at: 0)
    copied.collections = joinTables.map {
      TableDescription.Collection(
        adopting: $0.query, as: $0.relationship,
        linkTable: $0.relationship.linkTable ?? "")
    }
    copied.indexes = []
    copied.objects = []
    copied.isDetached = true
  }
}
