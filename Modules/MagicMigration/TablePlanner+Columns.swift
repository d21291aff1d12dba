import MagicSchema
import Magical
import SQLiteTables

extension TablePlanner {
  /// Plans the source of a column's values.
  mutating func plan(_ column: ColumnSchema) throws {
    if column.isRowID { return planRowID(column) }
    let names = schema.names(of: column)
    for name in names {
      if let existing = table.column(named: name), !existing.isKey {
        matched.insert(existing.name.folded)
        return try plan(column, from: existing)
      }
      if let toOne = column as? ToOneColumn, let existing = table.collection(named: name) {
        matched.insert(name.folded)
        return try plan(toOne, from: existing)
      }
    }
    if table.hasRowIDPrimary(column, schema) { return try planFromRowIDs(column) }
    try planNew(column)
  }

  // MARK: From a column

  private mutating func plan(
    _ column: ColumnSchema, from existing: TableDescription.Column
  ) throws {
    var renamed = existing
    let isRenamed = !existing.name.isName(column.name)
    if isRenamed { renamed.name = column.name }
    guard let source = try source(of: column, from: renamed) else {
      return try replace(existing, by: column)
    }
    if isRenamed { rename(existing, to: column) }
    planCollation(of: column, from: existing)
    sources.append(try sourceWithDefault(source, column, renamed))
    if let toOne = column as? ToOneColumn, let rule = existing.toOne?.rule,
      rule != toOne.deleteRule.rawValue
    {
      addChange(column, "the delete rule of \(column.name) becomes \(toOne.deleteRule.rawValue)")
    }
  }

  /// Plans the change of a column's collation. SQLite cannot change the definition of a column, so the
  /// table and its indexes are rebuilt.
  private mutating func planCollation(
    of column: ColumnSchema, from existing: TableDescription.Column
  ) {
    let declared = column.collation?.sqliteName ?? TableSQL.binary
    guard !existing.collation.isName(declared) else { return }
    addChange(column, "the collation of \(column.name) becomes \(declared)")
  }

  private mutating func rename(_ existing: TableDescription.Column, to column: ColumnSchema) {
    matched.insert(column.name.folded)
    if let index = table.columns.firstIndex(where: { $0.name == existing.name }) {
      table.renameColumn(at: index, to: column.name)
    }
    renamings.append(
      TableChange(
        kind: .additive, property: column.property,
        summary: "\(existing.name) is renamed to \(column.name)",
        statements: [
          "ALTER TABLE \(schema.tableName.quoted) "
            + "RENAME COLUMN \(existing.name.quoted) TO \(column.name.quoted)"
        ]))
  }

  /// Returns the expression for the values of a column; nil if the existing column contains values
  /// of another kind.
  mutating func source(
    of column: ColumnSchema, from existing: TableDescription.Column
  ) throws -> String? {
    let name = existing.name.quoted
    if existing.isFree {
      try refuseMismatchedValues(column, existing)
      // Migration steps add columns without foreign keys and triggers.
      if column is ToOneColumn { addChange(column, "\(column.name) gets its foreign key") }
      if column.isFile { addChange(column, "\(column.name) gets its triggers") }
      return name
    }
    let declaredTarget = try (column as? ToOneColumn)?.target.tableName
    guard existing.toOne?.target == declaredTarget, existing.isFile == column.isFile else {
      return nil
    }
    let declared = TableSQL.declaredType(column.storageClass)
    if existing.type.uppercased() == declared {
      // In a table without column types, a statement of a step may have stored values of any type.
      if table.isDetached { try refuseMismatchedValues(column, existing) }
      try planForm(of: column, from: existing)
      return name
    }
    guard let conversion = TypeConversion(from: existing.type, to: column) else { return nil }
    let summary = "\(column.name) becomes \(column.storageClass.rawValue.lowercased())"
    var refusal: String?
    if let violation = conversion.violation {
      let rows = try statistics.rows(where: violation, of: existing)
      if !rows.isEmpty {
        refusal =
          "\(RowIDText.text(rows, ("would", "would"))) not keep the value of \(column.name); declare "
          + ".transformValue(name: \"\(column.name)\") in the type's migrations to convert it"
      }
    }
    // A column without values cannot lose any.
    let isNarrowing =
      try conversion.isNarrowing
      && (!existing.isStored || statistics.valueCount(of: existing) > 0)
    if isNarrowing, !existing.mayLose {
      refusal =
        refusal
        ?? "declare .convertValue(name: \"\(column.name)\") in the type's migrations to permit the "
        + "conversion"
    }
    changes.append(
      TableChange(
        kind: isNarrowing && conversion.mayRound ? .destroying : .rewriting,
        property: column.property, summary: summary, refusal: refusal))
    return conversion.expression(name)
  }

  /// Refuses values that steps have set if their storage class is not that of the column.
  private mutating func refuseMismatchedValues(
    _ column: ColumnSchema, _ existing: TableDescription.Column
  ) throws {
    let rows = try statistics.rows(
      where: { "typeof(\($0)) NOT IN \(column.storedTypes)" }, of: existing)
    guard !rows.isEmpty else { return }
    addChange(
      column, "\(column.name) gets the values that steps have set",
      refusal:
        "\(RowIDText.text(rows, RowIDText.have)) a value that is not of type "
        + column.storageClass.rawValue.lowercased()
    )
  }

  /// Returns the expression for a column, which selects the default if a required column is NULL.
  private mutating func sourceWithDefault(
    _ source: String, _ column: ColumnSchema, _ existing: TableDescription.Column
  ) throws -> String {
    guard !column.isNullable else {
      if existing.isRequired { addChange(column, "\(column.name) becomes optional") }
      return source
    }
    guard !existing.isRequired else { return source }
    let rows = try statistics.rows(where: { "\($0) IS NULL" }, of: existing)
    if rows.isEmpty, case .stored = existing.values {
      addChange(column, "\(column.name) becomes required")
      return source
    }
    let summary = "\(column.name) becomes required"
    let withDefault = "\(summary), with the default for rows without a value"
    switch try SQLDefault(of: column, in: schema, for: .rows, statistics.queries) {
    case .expression(let value):
      addChange(column, withDefault)
      return "ifnull(\(source), \(value))"
    case .file:
      addChange(column, withDefault, preceding: .missingFile(column, in: existing.name))
    case .null, .missing:
      addChange(
        column, summary,
        refusal: rows.isEmpty
          ? nil : "\(RowIDText.text(rows, RowIDText.have)) no value for it, and it has no default")
    }
    return source
  }

  /// Plans to replace a column by one of another kind. Refused if the old column has values.
  private mutating func replace(_ existing: TableDescription.Column, by column: ColumnSchema) throws
  {
    let count = try statistics.valueCount(of: existing)
    addChange(
      column, "\(column.name) is recreated without its old values",
      kind: count > 0 ? .destroying : .rewriting,
      refusal: count > 0
        ? "\(existing.name) is \(existing.kindText) in the file, with values in \(rows(count)): "
          + "declare .transformValue, .transformRows or .deleteValue(name: \"\(existing.name)\") "
          + "in the type's migrations"
        : nil)
    try planNew(column, inPlace: false)
  }

  // MARK: From a collection

  private mutating func plan(
    _ column: ToOneColumn, from existing: TableDescription.Collection
  ) throws {
    guard try existing.relationship.target == column.target.tableName else {
      return try replace(existing, by: column)
    }
    let several = try statistics.ownersOfSeveral(existing)
    let without = try column.isNullable ? [] : statistics.rowsWithout(existing)
    var refusal: String?
    if !without.isEmpty {
      refusal = "\(RowIDText.text(without, RowIDText.have)) no member, and it is required"
    } else if !several.isEmpty, !existing.mayLose {
      refusal =
        "\(RowIDText.text(several, RowIDText.have)) more than one member: declare "
        + ".convertValue(name: \"\(column.name)\") in the type's migrations to keep the first"
    }
    addChange(
      column,
      "the \(existing.kindText) \(existing.relationship.column) becomes one object",
      kind: several.isEmpty ? .rewriting : .destroying, refusal: refusal)
    sources.append(
      "(SELECT \"target\" FROM \(existing.source) AS link "
        + "WHERE link.\"owner\" = row.\"z_index\" ORDER BY \(existing.orderColumn.quoted) LIMIT 1)")
    links.append(LinkChange(change: nil, after: try statistics.drop(existing)))
  }

  private mutating func replace(
    _ existing: TableDescription.Collection, by column: ColumnSchema
  ) throws {
    let count = try statistics.linkCount(of: existing)
    addChange(
      column, "\(column.name) is recreated without its old values",
      kind: count > 0 ? .destroying : .rewriting,
      refusal: count > 0 ? refusal(of: existing, count) : nil)
    links.append(LinkChange(change: nil, after: try statistics.drop(existing)))
    try planNew(column, inPlace: false)
  }

  func refusal(of existing: TableDescription.Collection, _ count: Int64) -> String {
    "\(existing.relationship.column) is a \(existing.kindText) of "
      + "\(existing.relationship.target) in the file, with \(RowIDText.joinRows(count)): declare "
      + ".deleteValue(name: \"\(existing.relationship.column)\") in the type's migrations to delete "
      + "them"
  }

  // MARK: New

  /// - Parameter inPlace: whether the column may be added to the existing table with ALTER TABLE.
  mutating func planNew(_ column: ColumnSchema, inPlace: Bool = true) throws {
    let value = try SQLDefault(of: column, in: schema, for: .rows, statistics.queries)
    let constant = try SQLDefault(
      of: column, in: schema, for: .definition, statistics.queries)
    var change = TableChange(
      kind: .additive, property: column.property, summary: "\(column.name) is added")
    let add = "ALTER TABLE \(schema.tableName.quoted) ADD COLUMN \(try sql.definition(column))"
    let triggers = column.isFile ? AssetTriggers(schema).steps : []
    switch value {
    case .expression(let expression):
      sources.append(expression)
      if case .expression(let literal) = constant {
        change.statements = ["\(add) DEFAULT \(literal)"] + triggers
        // SQLite may read the literal as an adjacent number. Also, the integrity check of SQLite
        // 3.45 reports NULL for a required floating-point column in rows that do not store its
        // default.
        if literal != expression || !column.isNullable && column.storageClass == .real,
          try statistics.hasRows
        {
          change.storedDefault = (column, expression)
        }
      }
    case .file:
      sources.append(column.isNullable ? "NULL" : "''")
      change.statements = [add + (column.isNullable ? "" : " DEFAULT ''")] + triggers
      if try statistics.hasRows { change.following = .file(column) }
    case .null:
      sources.append("NULL")
      change.statements = [add] + triggers
    case .missing:
      sources.append("NULL")
      if try statistics.hasRows {
        change.refusal =
          "it is required and has no default: declare .transformRows in the type's migrations to "
          + "give existing rows a value"
      }
    }
    if !inPlace { change.statements = nil }
    changes.append(change)
  }

  mutating func addChange(
    _ column: ColumnSchema, _ summary: String, kind: MagicMigrationPlan.Kind = .rewriting,
    refusal: String? = nil, preceding: MigrationOperation.Action? = nil
  ) {
    changes.append(
      TableChange(
        kind: kind, property: column.property, summary: summary, refusal: refusal,
        preceding: preceding))
  }
}

extension TableDescription.Column {
  /// The kind of the column's values, for messages.
  fileprivate var kindText: String {
    if let toOne { return "a reference to a \(toOne.target)" }
    if isFile { return "an asset" }
    return "a column of type \(type.isEmpty ? "real" : type.lowercased())"
  }
}

extension TableDescription.Collection {
  /// The column of the join table that orders the members.
  var orderColumn: String {
    switch kind {
    case .list: "position"
    case .dictionary: "key"
    case .set, nil: "target"
    }
  }

  /// The kind of collection, for messages.
  var kindText: String { kind?.rawValue ?? relationship.kind }
}

extension ColumnSchema {
  /// The storage classes of the column's values as a list in SQL.
  fileprivate var storedTypes: String {
    switch storageClass {
    case .integer: "('null', 'integer')"
    case .real: "('null', 'real', 'integer')"
    case .text: "('null', 'text')"
    case .blob: "('null', 'blob')"
    }
  }
}
