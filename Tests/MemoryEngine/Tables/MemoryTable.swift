import MagicEngine
import MagicSchema

/// The rows of a type, with the members of their collections.
struct MemoryTable: Sendable {
  let schema: ObjectSchema
  let names: TableNames
  private(set) var rows = SortedMap<Int64, StoredRow>()
  private var indexes: [ValueIndex]
  /// The unique indexes over expressions and the unique partial indexes.
  private var computedIndexes: [ComputedValueIndex]
  var collections: [MemberTable]
  /// The last assigned row ID.
  var lastRowID: Int64 = 0
  /// The highest auto-increment primary before the open transaction.
  private var highestPrimary: Int64 = 0
  /// The highest auto-increment primary of the open transaction, or nil if it has assigned none.
  private var assignedPrimary: Int64?
  /// The rows that the open transaction has written.
  private(set) var touched = SortedMap<Int64, Bool>()

  init(_ schema: ObjectSchema) {
    self.schema = schema
    names = TableNames(
      table: schema.tableName, columns: schema.columns.map(\.name),
      collections: schema.collections.map(\.name), rowKeys: ["z_index"])
    indexes = schema.columns.indices
      .filter { schema.columns[$0].isUnique || schema.columns[$0] is ToOneColumn }
      .map { ValueIndex([$0], isUnique: schema.columns[$0].isUnique) }
    computedIndexes = schema.indexes.filter(\.isUnique).compactMap { index in
      index.computed.map { ComputedValueIndex(index, $0, of: schema) }
    }
    for index in schema.indexes where index.identifiesRows {
      let columns = index.columns.compactMap { name in
        schema.columns.firstIndex { $0.name == name }
      }
      if !indexes.contains(where: { $0.columns == columns && $0.isUnique }) {
        indexes.append(ValueIndex(columns, isUnique: true))
      }
    }
    collections = schema.collections.map { MemberTable($0.kind) }
  }

  /// The rows with a value in a column, which must be unique or a relationship.
  func rows(with value: StoredValue, in column: Int) -> [Int64] {
    if schema.columns[column].isRowID {
      return value.rowID.flatMap { rows[$0] }.map { [$0.rowID] } ?? []
    }
    return indexes.first { $0.columns == [column] }?[[value]] ?? []
  }

  /// The row with values in columns, which must be those of a unique index, in any order.
  func row(with values: [StoredValue], in columns: [Int]) -> Int64? {
    guard columns.count > 1 else { return rows(with: values[0], in: columns[0]).first }
    guard let index = indexes.first(where: { Set($0.columns) == Set(columns) }) else { return nil }
    let key = index.columns.compactMap { column in
      columns.firstIndex(of: column).map { values[$0] }
    }
    return index[key].first
  }

  /// Prepares for a new transaction.
  mutating func resetTouched() {
    touched = SortedMap()
    for index in collections.indices { collections[index].resetTouched() }
  }

  /// - Throws: `MagicError` with `.notUnique`.
  mutating func insert(_ row: StoredRow) throws {
    try checkUnique(row.values, row.rowID)
    rows[row.rowID] = row
    touched.insert(row.rowID)
    for index in indexes.indices { indexes[index].insert(row) }
    for index in computedIndexes.indices { computedIndexes[index].insert(row) }
    if schema.hasRowIDPrimary { lastRowID = max(lastRowID, row.rowID) }
    notePrimary(of: row)
  }

  /// Updates an existing row.
  ///
  /// - Throws: `MagicError` with `.notUnique`.
  mutating func update(_ rowID: Int64, _ changes: [(column: Int, value: StoredValue)]) throws {
    guard let old = rows[rowID] else { return }
    var new = old
    for (column, value) in changes { new.values[column] = value }
    try checkUnique(new.values, rowID)
    touched.insert(rowID)
    rows[rowID] = new
    for index in indexes.indices
    where changes.contains(where: { indexes[index].columns.contains($0.column) }) {
      indexes[index].remove(old)
      indexes[index].insert(new)
    }
    for index in computedIndexes.indices {
      computedIndexes[index].remove(old)
      computedIndexes[index].insert(new)
    }
    if changes.contains(where: { $0.column == schema.primary }) { notePrimary(of: new) }
  }

  /// Removes a row with the members of its collections.
  mutating func remove(_ rowID: Int64) {
    guard let row = rows[rowID] else { return }
    touched.insert(rowID)
    rows[rowID] = nil
    for index in indexes.indices { indexes[index].remove(row) }
    for index in computedIndexes.indices { computedIndexes[index].remove(row) }
    for index in collections.indices { collections[index].removeAll(of: rowID) }
  }

  private func checkUnique(_ values: [StoredValue], _ rowID: Int64) throws {
    for index in indexes where index.isTaken(values, for: rowID) {
      let columns = index.columns.map { schema.columns[$0] }
      let names = columns.map { "\(schema.tableName).\($0.name)" }.joined(separator: ", ")
      throw MagicError(
        .notUnique, "Another row has the same value: \(names).", type: schema.typeName,
        property: columns.count == 1 ? columns[0].property : nil)
    }
    for index in computedIndexes where try index.isTaken(values, for: rowID) {
      throw MagicError(
        .notUnique, "Another row has the same value: index '\(index.name)'.",
        type: schema.typeName, property: index.property)
    }
  }
}

/// Auto-increment primaries.
extension MemoryTable {
  /// Returns the next auto-increment primary.
  ///
  /// - Throws: `MagicError` with `.idsExhausted`.
  mutating func nextPrimary(_ column: Int) throws -> Int {
    let last =
      assignedPrimary
      ?? rows.values.reduce(highestPrimary) { max($0, $1.values[column].rowID ?? 0) }
    guard last < Int64(Int.max) else {
      throw MagicError(
        .idsExhausted, "The auto-increment value of the primary property has reached its maximum.",
        type: schema.typeName,
        property: schema.columns[column].property)
    }
    assignedPrimary = last + 1
    return Int(last) + 1
  }

  /// Prevents another assignment of the assigned primaries, once the transaction ends.
  mutating func endAssigning() {
    guard let assignedPrimary else { return }
    highestPrimary = assignedPrimary
    self.assignedPrimary = nil
  }

  /// Continues after a primary that the user has set.
  private mutating func notePrimary(of row: StoredRow) {
    guard let assignedPrimary, let primary = schema.primary,
      let number = row.values[primary].rowID, number > assignedPrimary
    else { return }
    self.assignedPrimary = number
  }
}
