import MagicEngine
import MagicSchema

/// A unique index over expressions, or a unique partial index.
struct ComputedValueIndex: Sendable {
  let name: String
  /// The property, if the index is a partial index over one property.
  let property: String?
  private let schema: ObjectSchema
  private let computed: ComputedIndex
  private let columns: [Int]
  private var rows: ValueIndex

  init(_ index: IndexSchema, _ computed: ComputedIndex, of schema: ObjectSchema) {
    name = index.name
    self.schema = schema
    self.computed = computed
    columns = index.columns.compactMap { name in
      schema.columns.firstIndex { $0.name == name }
    }
    property = columns.count == 1 ? schema.columns[columns[0]].property : nil
    let count = columns.count + computed.expressions.count
    rows = ValueIndex(Array(0..<count), isUnique: true)
  }

  mutating func insert(_ row: StoredRow) { if let row = indexed(row) { rows.insert(row) } }

  mutating func remove(_ row: StoredRow) { if let row = indexed(row) { rows.remove(row) } }

  /// Whether another row in the index has the values of a row. NULLs are not compared.
  func isTaken(_ values: [StoredValue], for rowID: Int64) throws -> Bool {
    try key(of: values).map { rows.isTaken($0, for: rowID) } ?? false
  }

  private func indexed(_ row: StoredRow) -> StoredRow? {
    guard let key = try? key(of: row.values) else { return nil }
    return StoredRow(rowID: row.rowID, values: key)
  }

  /// The indexed values of a row; nil if the index does not contain the row.
  private func key(of values: [StoredValue]) throws -> [StoredValue]? {
    let row = StoredRow(rowID: 0, values: values)
    if let predicate = computed.predicate, try !value(of: predicate, row).isTrue { return nil }
    return try columns.map { values[$0] }
      + computed.expressions.map { try value(of: $0, row) }
  }

  private func value(of expression: any IndexExpression, _ row: StoredRow) throws -> StoredValue {
    guard let indexed = expression as? IndexedExpression else { throw MagicError.malformedQuery }
    var compiler = QueryCompiler(
      schema, MemoryTables(), scopes: [], rowID: { _ in throw MagicError.malformedQuery })
    return try compiler.compile(indexed.expression)(QueryFrame(rows: [row]))
  }
}
