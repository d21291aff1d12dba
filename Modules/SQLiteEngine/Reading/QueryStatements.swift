package import MagicEngine
package import MagicSchema
package import MagicSQLite
import SQLiteTables

extension StoreConnection {
  /// Returns the statement of a query shape from the cache, or compiles it.
  ///
  /// - Parameters:
  ///   - variant: the other inputs of the SQL besides the shape.
  ///   - render: returns the SQL, whether it remains valid until a table changes, and the indexes
  ///     of the parameters that take texts as bytes.
  package func statement(
    for shape: QueryShape, _ variant: QueryVariant? = nil,
    _ render: () throws -> (sql: String, isLasting: Bool, blobParameters: [Int])
  ) throws -> SQLiteStatement {
    if let cached = queries[shape, variant] { return cached }
    let (sql, isLasting, blobParameters) = try render()
    let statement = try prepare(sql, isPersistent: isLasting)
    statement.blobParameters = blobParameters
    if isLasting { queries[shape, variant] = statement }
    return statement
  }

  private func prepare(_ sql: String, isPersistent: Bool) throws -> SQLiteStatement {
    do {
      let statement = try connection.prepare(sql, isPersistent: isPersistent)
      try checkReadsNoOutdatedIndex(statement)
      return statement
    } catch {
      guard error.code == .error, !error.lacksSearch, !error.lacksLocalizedCollation,
        !error.readsOutdatedIndex
      else { throw error }
      throw MagicError(
        .invalidQuery, "SQLite cannot compile the query: \(error.message).", cause: error)
    }
  }

  /// Binds the values to a statement's parameters. A list in a temporary table has no parameters. A
  /// list with fewer values than parameters repeats its last value.
  ///
  /// - Parameter literals: the literals of the statement that replace parameters.
  /// - Throws: `MagicError` with `.notSaved` for an object that is not a row of this database.
  package func bind(
    _ values: [QueryValue], to statement: SQLiteStatement, literals: [Int: String]? = nil
  ) throws {
    arena.reset()
    var index = 0
    for value in values {
      guard case .list(let members) = value else {
        index += 1
        if let literals, literals[index] != nil, !statement.blobParameters.contains(index) {
          continue
        }
        try bind(value, to: statement, at: index)
        continue
      }
      guard case .parameters(let count) = ListForm(members) else { continue }
      for place in 0..<count {
        index += 1
        try bind(members[min(place, members.count - 1)], to: statement, at: index)
      }
    }
  }

  func bind(
    _ value: QueryValue, to statement: SQLiteStatement, at index: Int
  ) throws {
    switch value {
    case .null, .list: try statement.bindNull(at: index)
    case .object(let object): try statement.bind(try zIndex(of: object), at: index)
    case .integer(let integer): try statement.bind(integer, at: index)
    case .real(let real): try statement.bind(real, at: index)
    case .text(var text):
      try text.withUTF8 {
        let bytes = UnsafeRawBufferPointer($0)
        if statement.blobParameters.isEmpty || !statement.blobParameters.contains(index) {
          try statement.bind(text: bytes, at: index, in: arena)
        } else {
          try statement.bind(blob: bytes, at: index, in: arena)
        }
      }
    case .blob(let bytes):
      try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: index, in: arena) }
    }
  }

  /// Whether this connection runs write transactions.
  var writes: Bool {
    switch connection.configuration.access {
    case .readWrite, .readWriteExisting: true
    case .readOnly, .immutable: false
    }
  }

  /// Returns the row ID of an object in this database. During a transaction, the object may be one
  /// that the transaction has inserted.
  package func zIndex<Model: MagicObject>(of object: Model) throws -> Int64 {
    try token.rowID(of: object, isWriting: writes)
  }

  /// Inserts the values of long lists into temporary tables, from which a statement reads them.
  package func fillListTables(_ values: [QueryValue]) throws {
    try makeListTables(values) { table, members in
      let insert = try connection.cachedStatement("INSERT OR IGNORE INTO temp.\(table) VALUES (?)")
      var cancellation = CancellationCheck()
      for member in members {
        try cancellation.count()
        arena.reset()
        try bind(member, to: insert, at: 1)
        try insert.run()
      }
    }
  }

  /// Creates the tables of long lists, without values.
  ///
  /// - Parameter use: called with each table and its list.
  package func makeListTables(
    _ values: [QueryValue], _ use: (String, [QueryValue]) throws -> Void = { _, _ in }
  ) throws {
    try forEachListTable(values) { table, members in
      try connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS \(table) (\"value\" PRIMARY KEY) WITHOUT ROWID")
      try connection.cachedStatement("DELETE FROM temp.\(table)").run()
      try use(table, members)
    }
  }

  /// Deletes all rows of the temporary tables of long lists.
  package func emptyListTables(_ values: [QueryValue]) throws {
    try forEachListTable(values) { table, _ in
      try connection.cachedStatement("DELETE FROM temp.\(table)").run()
    }
  }

  private func forEachListTable(
    _ values: [QueryValue], _ body: (String, [QueryValue]) throws -> Void
  ) throws {
    var list = 0
    for case .list(let members) in values where ListForm(members) == .table {
      list += 1
      try body(Self.listTable(list), members)
    }
  }

  /// Returns the table of a long list. Lists are numbered from 1.
  package static func listTable(_ list: Int) -> String { "\"magic_list_\(list)\"" }
}
