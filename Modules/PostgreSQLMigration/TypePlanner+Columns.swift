import MagicEngine
import MagicMigration
import MagicPostgreSQL
import MagicSchema
import Magical
import PostgreSQLEngine
import PostgreSQLQueries
import PostgreSQLTables

extension TypePlanner {
  /// Plans the column of a property.
  mutating func plan(_ column: ColumnSchema) throws {
    if column.isRowID { return try planRowID(column) }
    for name in schema.names(of: column) {
      if let index = table.column(named: name), matched.insert(name.folded).inserted {
        return try plan(column, from: index)
      }
      if let toOne = column as? ToOneColumn, let index = table.collection(named: name) {
        matched.insert(name.folded)
        return try plan(toOne, from: table.collections[index])
      }
    }
    try planNew(column)
  }

  /// The primary is the row ID, so its former column is dropped if it contains the row IDs.
  private mutating func planRowID(_ column: ColumnSchema) throws {
    guard let index = table.column(named: column.property) else { return }
    let existing = table.columns[index]
    let others = try rows.rows(of: existing, in: table) { "\($0)::text <> \"z_index\"::text" }
    let isRefused = !others.isEmpty || existing.values == .unknown
    add(
      isRefused ? .destroying : .rewriting, "\(existing.name) becomes the row ID", drop(existing),
      property: column.property,
      refusal: isRefused
        ? "databases of PostgreSQL do not change row IDs, and a value of \(existing.name) is not "
          + "that of its row"
        : nil)
    forgetIndexes(over: existing.name)
    table.columns.remove(at: index)
  }

  // MARK: From a column

  private mutating func plan(_ column: ColumnSchema, from index: Int) throws {
    let existing = table.columns[index]
    let declaredTarget = try (column as? ToOneColumn)?.target.tableName
    let isSameKind =
      existing.isFree
      || existing.reference?.target == declaredTarget && existing.isFile == column.isFile
    guard isSameKind else { return try replace(index, by: column) }
    if existing.name != column.name { rename(index, to: column) }
    guard try convert(column, index) else { return try replace(index, by: column) }
    try planNullability(column, index)
    guard let toOne = column as? ToOneColumn else {
      if column.isFile, !existing.isFile { addTrigger(column) }
      if existing.isFile, !column.isFile { removeTrigger(column) }
      return
    }
    if let rule = existing.reference?.rule, rule != toOne.deleteRule {
      add(
        .additive, "the delete rule of \(column.name) becomes \(toOne.deleteRule.rawValue)",
        property: column.property)
    }
  }

  private mutating func rename(_ index: Int, to column: ColumnSchema) {
    add(
      .additive, "\(table.columns[index].name) is renamed to \(column.name)",
      renameColumn(index, to: column.name), property: column.property)
    matched.insert(column.name.folded)
  }

  /// Renames a column in the description of the table.
  ///
  /// - Returns: the statements that rename it, with its foreign key and its trigger.
  mutating func renameColumn(_ index: Int, to name: String) -> [String] {
    let existing = table.columns[index]
    let old = existing.name
    var sql = ["ALTER TABLE \(quotedTable) RENAME COLUMN \(old.quoted) TO \(name.quoted)"]
    if existing.reference != nil, !existing.isFree {
      let names = (
        TableDefinition.foreignKey(old, of: table.name),
        TableDefinition.foreignKey(name, of: table.name)
      )
      sql.append(
        "ALTER TABLE \(quotedTable) RENAME CONSTRAINT \(names.0.quoted) TO \(names.1.quoted)")
    }
    if existing.reference != nil { sql.append(renameRelationship(old, to: name)) }
    if existing.isFile, !existing.isFree {
      // The function of the trigger gets the name of the column.
      let trigger = TableDefinition.assetTrigger(old, of: table.name)
      sql.append("DROP TRIGGER \(trigger.quoted) ON \(quotedTable)")
      sql.append(TableDefinition.createAssetTrigger(name, of: table.name))
    }
    table.columns[index].name = name
    for index in table.indexes.indices {
      table.indexes[index].rename(old, to: name)
    }
    return sql
  }

  private mutating func addTrigger(_ column: ColumnSchema) {
    add(
      .additive, "\(column.name) gets its trigger",
      [
        TableDefinition.createAssetTrigger(column.name, of: table.name),
        // A closure has set names of assets while nothing counted them.
        "UPDATE magic_assets AS a SET uses = a.uses + c.uses FROM (SELECT \(column.name.quoted) AS name, "
          + "count(*) AS uses FROM \(quotedTable) GROUP BY 1) AS c WHERE c.name = a.name",
      ], property: column.property)
  }

  private mutating func removeTrigger(_ column: ColumnSchema) {
    let trigger = TableDefinition.assetTrigger(column.name, of: table.name)
    add(
      .additive, "\(column.name) loses its trigger",
      ["DROP TRIGGER \(trigger.quoted) ON \(quotedTable)"], property: column.property)
  }

  /// Plans the conversion to the type of a property.
  ///
  /// - Returns: false if there is none.
  private mutating func convert(_ column: ColumnSchema, _ index: Int) throws -> Bool {
    let existing = table.columns[index]
    guard let type = existing.type else { return true }
    guard type != column.type else {
      planCollation(column, index)
      return true
    }
    guard let conversion = ColumnConversion(from: type, to: column) else { return false }
    var refusal: String?
    if let violation = conversion.violation {
      let invalid = try rows.rows(of: existing, in: table, where: violation)
      if !invalid.isEmpty {
        refusal =
          "\(RowIDText.text(invalid, ("would", "would"))) not keep the value of \(column.name); "
          + "declare .transformValue(name: \"\(column.name)\") in the type's migrations to convert it"
      }
    }
    // A column without values cannot lose any.
    let isNarrowing =
      try conversion.isNarrowing
      && (existing.values == .unknown || rows.valueCount(of: existing, in: table) > 0)
    if isNarrowing, !mayLose(column), refusal == nil {
      refusal =
        "declare .convertValue(name: \"\(column.name)\") in the type's migrations to permit the "
        + "conversion"
    }
    let name = column.name.quoted
    add(
      isNarrowing && conversion.mayRound ? .destroying : .rewriting,
      "\(column.name) becomes \(column.type.shortName)",
      [
        "ALTER TABLE \(quotedTable) ALTER COLUMN \(name) DROP DEFAULT",
        "ALTER TABLE \(quotedTable) ALTER COLUMN \(name) TYPE \(column.typeSQL) "
          + "USING \(conversion.expression(name))",
      ], property: column.property, refusal: refusal)
    table.columns[index].type = column.type
    table.columns[index].collation = column.collation
    return true
  }

  /// Plans the change of a column's collation. The server builds its indexes again.
  private mutating func planCollation(_ column: ColumnSchema, _ index: Int) {
    guard column.type == .text, table.columns[index].collation != column.collation else { return }
    let name = column.collation?.postgreSQLName ?? MagicCollation.bytes
    add(
      .rewriting, "the collation of \(column.name) becomes \(name)",
      ["ALTER TABLE \(quotedTable) ALTER COLUMN \(column.name.quoted) TYPE \(column.typeSQL)"],
      property: column.property)
    table.columns[index].collation = column.collation
  }

  private mutating func planNullability(_ column: ColumnSchema, _ index: Int) throws {
    let existing = table.columns[index]
    let name = column.name.quoted
    let alter = "ALTER TABLE \(quotedTable) ALTER COLUMN \(name)"
    guard existing.isRequired == column.isNullable else { return }
    table.columns[index].isRequired = !column.isNullable
    guard !column.isNullable else {
      return add(
        .additive, "\(column.name) becomes optional",
        ["\(alter) DROP NOT NULL", "\(alter) DROP DEFAULT"],
        property: column.property)
    }
    let missing = try rows.rows(of: existing, in: table) { "\($0) IS NULL" }
    let require = "\(alter) SET NOT NULL"
    let summary = "\(column.name) becomes required"
    if missing.isEmpty, existing.values != .unknown {
      return add(.additive, summary, [require], property: column.property)
    }
    let withDefault = "\(summary), with the default for rows without a value"
    switch try ColumnDefault(of: column, in: schema) {
    case .literal(let value), .generated(let value):
      add(
        .rewriting, withDefault,
        ["UPDATE \(quotedTable) SET \(name) = \(value) WHERE \(name) IS NULL", require],
        property: column.property)
    case .file:
      add(.rewriting, withDefault, [], property: column.property, .file(column))
      add(.additive, summary, [require], property: column.property)
    case .null, .missing:
      add(
        .rewriting, summary, [require], property: column.property,
        refusal: missing.isEmpty
          ? nil
          : "\(RowIDText.text(missing, RowIDText.have)) no value for it, and it has no default")
    }
  }

  /// Plans to replace a column by one of another kind. Refused if the old column has values.
  private mutating func replace(_ index: Int, by column: ColumnSchema) throws {
    let existing = table.columns.remove(at: index)
    let count = existing.values == .unknown ? 1 : try rows.valueCount(of: existing, in: table)
    add(
      count > 0 ? .destroying : .rewriting, "\(column.name) is recreated without its old values",
      drop(existing), property: column.property,
      refusal: count > 0
        ? "\(existing.name) is \(existing.kindText) in the database, with values in "
          + "\(Self.rows(count)): declare .transformValue, .transformRows or "
          + ".deleteValue(name: \"\(existing.name)\") in the type's migrations"
        : nil)
    forgetIndexes(over: existing.name)
    try planNew(column)
  }

  // MARK: New

  /// Plans a new column.
  ///
  /// - Parameter isFilled: whether a later operation sets the values of a required column.
  mutating func planNew(_ column: ColumnSchema, isFilled: Bool = false) throws {
    matched.insert(column.name.folded)
    let name = column.name.quoted
    let isRequired = !column.isNullable
    let plain = "ALTER TABLE \(quotedTable) ADD COLUMN \(name) \(column.typeSQL)"
    let alter = "ALTER TABLE \(quotedTable) ALTER COLUMN \(name)"
    let summary = "\(column.name) is added"
    let trigger =
      column.isFile ? [TableDefinition.createAssetTrigger(column.name, of: table.name)] : []
    table.columns.append(
      StoredColumn(
        name: column.name, values: .none, type: column.type, collation: column.collation,
        isRequired: isRequired, reference: nil, isFile: column.isFile, isFree: column is ToOneColumn
      ))
    if isFilled {
      return add(.additive, summary, [plain], property: column.property)
    }
    switch try ColumnDefault(of: column, in: schema) {
    case .literal(let value):
      // The server stores such a default once for all existing rows. It stays for the rows of processes with
      // an earlier version of the type.
      add(
        .additive, summary,
        ["\(plain)\(isRequired ? " NOT NULL" : "") DEFAULT \(value)"] + trigger,
        property: column.property)
    case .generated(let value):
      add(
        try rows.hasRows(table) ? .rewriting : .additive, summary,
        [plain, "UPDATE \(quotedTable) SET \(name) = \(value)"]
          + (isRequired ? ["\(alter) SET NOT NULL"] : []), property: column.property)
    case .file:
      add(
        .additive, summary,
        [isRequired ? "\(plain) NOT NULL DEFAULT ''" : plain] + trigger, property: column.property)
      if try rows.hasRows(table) {
        add(
          .rewriting, "existing rows get the default of \(column.name)", [],
          property: column.property, .file(column))
      }
    case .null: add(.additive, summary, [plain] + trigger, property: column.property)
    case .missing:
      add(
        .additive, summary, ["\(plain) NOT NULL"] + trigger, property: column.property,
        refusal: try rows.hasRows(table)
          ? "it is required and has no default: declare .transformRows in the type's migrations to "
            + "give existing rows a value" : nil)
    }
  }

  // MARK: From a collection

  private mutating func plan(_ column: ToOneColumn, from existing: StoredCollection) throws {
    let count = try rows.linkCount(of: existing)
    let dropped = Operation(
      step: MagicMigrationPlan.Step(
        type: schema.typeName, kind: .rewriting, summary: "join rows that were copied are dropped",
        sql: ["DROP TABLE \(existing.joinTable.quoted)"]))
    guard try existing.target == column.target.tableName else {
      add(
        count > 0 ? .destroying : .rewriting, "\(column.name) is recreated without its old values",
        property: column.property, refusal: count > 0 ? refusal(of: existing, count) : nil)
      lastOperations.append(dropped)
      return try planNew(column)
    }
    let several = try rows.duplicates("owner", in: existing)
    let without =
      try column.isNullable
      ? []
      : rows.firstRows(
        "SELECT \"z_index\" FROM \(table.storedName.quoted) WHERE NOT EXISTS (SELECT FROM "
          + "\(existing.storedTable.quoted) WHERE owner = \"z_index\") ORDER BY \"z_index\"")
    var refusal: String?
    if !without.isEmpty {
      refusal = "\(RowIDText.text(without, RowIDText.have)) no member, and it is required"
    } else if !several.isEmpty, !mayLose(column) {
      refusal =
        "\(RowIDText.text(several, RowIDText.have)) more than one member: declare "
        + ".convertValue(name: \"\(column.name)\") in the type's migrations to keep the first"
    }
    try planNew(column, isFilled: true)
    let name = column.name.quoted
    add(
      several.isEmpty ? .rewriting : .destroying,
      "the \(existing.kind.rawValue) \(existing.name) becomes one object",
      [
        "UPDATE \(quotedTable) SET \(name) = (SELECT target FROM \(existing.joinTable.quoted) "
          + "WHERE owner = \(quotedTable).\"z_index\" ORDER BY \(existing.orderColumn.quoted) LIMIT 1)"
      ]
        + (column.isNullable
          ? [] : ["ALTER TABLE \(quotedTable) ALTER COLUMN \(name) SET NOT NULL"]),
      property: column.property, refusal: refusal)
    lastOperations.append(dropped)
  }

  func refusal(of existing: StoredCollection, _ count: Int64) -> String {
    "\(existing.name) is a \(existing.kind.rawValue) of \(existing.target) in the database, with "
      + "\(RowIDText.joinRows(count)): declare .deleteValue(name: \"\(existing.name)\") in the "
      + "type's migrations to delete them"
  }
}
