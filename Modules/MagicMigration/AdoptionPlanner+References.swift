import MagicSchema
import Magical
import SQLiteTables

/// A column of a foreign table whose values identify rows of a type's table.
struct AdoptedReference {
  /// The column with the values.
  let column: String
  let target: ObjectSchema
  /// The column of the target's table that the foreign key names; nil for its primary key.
  let key: String?
  /// Whether a foreign key says which rows the values identify.
  let hasForeignKey: Bool
  /// The alias of the target's table.
  let alias: String
}

/// The rows that a reference can identify.
struct ReferencedRows {
  /// The rows, for a FROM clause.
  let rows: String
  /// The column of ``rows`` that identifies them.
  let key: String
  /// Returns the expression for the value of the key, from the expression for the reference.
  let value: (String) -> String
}

extension AdoptionPlanner {
  /// Plans the copy of a column that refers to rows of another table, which becomes a to-one.
  mutating func adopted(_ name: String, _ toOne: ToOneColumn) throws -> AdoptedColumn {
    var column = AdoptedColumn(name: toOne.name, value: "NULL")
    let target = try toOne.target
    column.relationship = Relationship(
      owner: schema.tableName, column: toOne.name, kind: "one", target: target.tableName,
      rule: toOne.deleteRule.rawValue, linkTable: nil)
    guard
      let reference = try reference(
        name, to: target, in: table, alias: "magic_\(columns.count + 1)".quoted)
    else { return column }
    let isKnown = try referenced(reference, isPlanned: true) != nil
    if isKnown {
      column.reference = reference
      column.value = "\(reference.alias).\"z_index\""
    }
    try refuseDangling(reference, toOne)
    return column
  }

  /// Returns what the values of a column identify; nil if that is refused.
  mutating func reference(
    _ name: String, to target: ObjectSchema, in table: ForeignTable, alias: String
  ) throws -> AdoptedReference? {
    let known = table.references.filter { $0.columns.contains { $0.isName(name) } }
    guard let foreignKey = known.first(where: { $0.columns.count == 1 }) else {
      guard known.isEmpty else {
        refusals.append("\(name) is a part of a foreign key of several columns")
        return nil
      }
      return try unambiguous(
        AdoptedReference(
          column: name, target: target, key: nil, hasForeignKey: false, alias: alias))
    }
    guard adoptions.isTable(foreignKey.table, of: target) else {
      refusals.append(
        "\(name) refers to the table \(foreignKey.table), not to \(target.tableName)")
      return nil
    }
    return try unambiguous(
      AdoptedReference(
        column: name, target: target, key: foreignKey.targets?.first, hasForeignKey: true,
        alias: alias))
  }

  /// Returns a reference; nil, and refuses it, if a value of its key does not identify one row.
  private mutating func unambiguous(_ reference: AdoptedReference) throws -> AdoptedReference? {
    let name = reference.target.tableName
    let foreign = try adoptions.foreignTable(of: reference.target, isPlanned: false, for: schema)
    if let foreign, foreign.referencedKey(reference) == nil {
      refusals.append(
        "\(reference.column) refers to \(name), which has no key of one column that it names")
      return nil
    }
    guard let target = try referenced(reference, isPlanned: false) else { return reference }
    let key = target.key.quoted
    let duplicates = try rows.integer(
      "SELECT count(\(key)) - count(DISTINCT \(key)) FROM \(target.rows)")
    guard duplicates > 0 else { return reference }
    refusals.append(
      "\(reference.column) refers to the column \(target.key) of \(name), which has the same value "
        + "in several rows")
    return nil
  }

  private mutating func refuseDangling(_ reference: AdoptedReference, _ toOne: ToOneColumn) throws {
    let count = try danglingCount([reference], in: table)
    guard count > 0 else { return }
    guard toOne.isNullable, mayLose(toOne) else {
      let refer = count == 1 ? "one row refers" : "\(count) rows refer"
      refusals.append(
        "\(refer) with \(reference.column) to rows of \(reference.target.tableName) that do not exist"
          + (toOne.isNullable
            ? ": declare .convertValue(name: \"\(toOne.name)\") after it to set \(toOne.name) to nil"
            : ", and \(toOne.name) is required: correct the rows first"))
      return
    }
    isDestroying = true
  }

  /// Returns the number of rows with a reference that identifies no row.
  func danglingCount(_ references: [AdoptedReference], in table: ForeignTable) throws -> Int64 {
    var joins = ""
    var conditions: [String] = []
    for reference in references {
      let column = "row.\(reference.column.quoted)"
      guard try referenced(reference, isPlanned: false) != nil else {
        conditions.append("\(column) IS NOT NULL")
        continue
      }
      joins += try join(reference, isPlanned: false)
      conditions.append("\(column) IS NOT NULL AND \(reference.alias).\"z_index\" IS NULL")
    }
    return try rows.integer(
      "SELECT count(*) FROM \(table.storedName.quoted) AS row\(joins) "
        + "WHERE \(conditions.joined(separator: " OR "))")
  }

  // MARK: The rows that are referred to

  /// Returns the rows that a reference can identify; nil if the file has none.
  ///
  /// - Parameter isPlanned: whether the rows are needed when the plan runs, and not now.
  func referenced(_ reference: AdoptedReference, isPlanned: Bool) throws -> ReferencedRows? {
    let target = reference.target
    if let foreign = try adoptions.foreignTable(of: target, isPlanned: isPlanned, for: schema) {
      guard let key = foreign.referencedKey(reference) else { return nil }
      return ReferencedRows(rows: foreign.rows([key], isPlanned: isPlanned), key: key) { $0 }
    }
    let adoption = adoptions.adoption(of: target)
    guard try adoption != nil || catalogue.exists(target.tableName),
      let (key, column) = key(of: reference, adoption)
    else { return nil }
    let conversion = column.flatMap { AdoptedValue($0, dates: nil) }
    let columns = key == TableSQL.zIndex ? key.quoted : "\"z_index\", \(key.quoted)"
    return ReferencedRows(rows: "(SELECT \(columns) FROM \(target.tableName.quoted))", key: key) {
      conversion?.expression($0) ?? $0
    }
  }

  /// Returns the column of a type's table that has the values that a reference uses.
  private func key(
    of reference: AdoptedReference, _ adoption: TableAdoption?
  ) -> (name: String, property: ColumnSchema?)? {
    let target = reference.target
    guard reference.hasForeignKey || target.primary == nil else {
      return target.primary.map { (target.columns[$0].name, target.columns[$0]) }
    }
    // Without an adoption in this plan, only the row ID can be the key that is not named: the
    // adoption of another key is refused while a foreign key refers to it.
    guard let name = reference.key ?? adoption?.table.singleKey, !name.isName(TableSQL.zIndex)
    else {
      return (TableSQL.zIndex, nil)
    }
    let property = target.columns.first { $0.isNamed(name, in: target) }
    if let property { return (property.name, property) }
    return adoption?.table.rowIDKey?.isName(name) ?? false ? (TableSQL.zIndex, nil) : nil
  }
}

extension ForeignTable {
  /// The only column of the primary key; nil if it has none or several.
  var singleKey: String? { key.count == 1 ? key[0] : nil }

  /// The column that is the row ID; nil if there is none.
  var rowIDKey: String? { hasRowIDKey ? singleKey : nil }

  func referencedKey(_ reference: AdoptedReference) -> String? {
    (reference.key ?? singleKey).flatMap(column)
  }
}
