import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import PostgreSQLTables

/// Row IDs and auto-increment primaries.
extension PostgreSQLTransaction {
  /// The values of an auto-increment primary in a transaction. No other transaction assigns values
  /// meanwhile.
  struct Counter {
    let schema: ObjectSchema
    /// The highest value that was assigned or chosen.
    var last: Int64
    /// Whether the sequence must be set before the commit.
    var isChanged = false
  }

  /// False, because the server runs no code that inserts rows of types.
  package var reservesOneByOne: Bool { false }

  package func reserveRowID(of schema: ObjectSchema, isAhead: Bool) throws -> Int64 {
    guard !schema.hasRowIDPrimary else { return try nextValue(schema) }
    return try session.reserveRowID(of: schema)
  }

  package func nextPrimary(of schema: ObjectSchema, column: ColumnSchema) throws -> Int {
    Int(try nextValue(schema))
  }

  private func nextValue(_ schema: ObjectSchema) throws -> Int64 {
    let table = session.tables.number(of: schema)
    var counter = try counters[table] ?? makeCounter(schema)
    guard counter.last < Int64.max else {
      throw MagicError(
        .idsExhausted, "The auto-increment value of the primary property has reached its maximum.",
        type: schema.typeName,
        property: schema.primary.map { schema.columns[$0].property })
    }
    counter.last += 1
    counter.isChanged = true
    counters[table] = counter
    return counter.last
  }

  /// Returns a counter after all values that the table has or had.
  private func makeCounter(_ schema: ObjectSchema) throws -> Counter {
    let primary = schema.primary.map { schema.columns[$0].name.quoted } ?? TableDefinition.zIndex
    let sequence = TableDefinition.primaries(of: schema.tableName).quoted
    session.fields.removeAll()
    let statement = session.statement(
      "SELECT greatest((SELECT max(\(primary)) FROM \(schema.tableName.quoted)), "
        + "(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(sequence)))", [])
    let last = try session.run(statement, schema).integer(0, 0)
    return Counter(schema: schema, last: max(0, last))
  }

  /// Begins to count after all values that a query has set.
  func recount(_ schema: ObjectSchema) throws {
    try storeCounters()
    var counter = try makeCounter(schema)
    counter.isChanged = true
    counters[session.tables.number(of: schema)] = counter
  }

  /// Records a value that the program has chosen.
  func note(primary: Int64, of schema: ObjectSchema) {
    let table = session.tables.number(of: schema)
    guard let counter = counters[table], primary > counter.last else { return }
    counters[table]?.last = primary
  }

  /// Prevents another assignment of the assigned values.
  func storeCounters() throws {
    for counter in counters.values where counter.isChanged {
      session.fields.removeAll()
      session.fields.append(integer: counter.last)
      let sequence = TableDefinition.primaries(of: counter.schema.tableName).quoted.literal
      _ = try session.run(
        session.statement("SELECT setval(\(sequence)::regclass, $1)", [.bigint]), counter.schema)
    }
  }
}

extension EngineSession {
  /// Returns a row ID of the block that this connection has reserved. The sequence is not rolled back,
  /// so that no row ID is used twice.
  func reserveRowID(of schema: ObjectSchema) throws -> Int64 {
    let table = tables.number(of: schema)
    if let rowID = blocks.next(table) { return rowID }
    try reserveBlocks(of: schema)
    guard let rowID = blocks.next(table) else {
      throw MagicError(
        .idsExhausted, "The table has used its highest row ID.", type: schema.typeName)
    }
    return rowID
  }

  /// Reserves more blocks of row IDs.
  func reserveBlocks(of schema: ObjectSchema) throws {
    let table = tables.number(of: schema)
    let sequence = TableDefinition.sequence(of: schema.tableName).quoted.literal
    fields.removeAll()
    fields.append(integer: blocks.count(table))
    let result = try run(
      statement(
        "SELECT nextval(\(sequence)::regclass) FROM generate_series(1, $1)", [.bigint]), schema)
    let firsts = (0..<result.count).map { result.integer($0, 0) }
    blocks.add(
      firsts.filter { $0 <= Int64.max - TableDefinition.blockSize }, table)
  }
}
