package import MagicEngine
package import MagicSchema
package import MagicSQLite

extension StoreConnection {
  /// The statement of a shape, compiled where it is met for the first time.
  ///
  /// - Parameter render: gives the SQL, and whether it will be right as long as no table changes.
  package func statement(
    for shape: QueryShape, _ render: () throws -> (sql: String, isLasting: Bool)
  ) throws -> SQLiteStatement {
    if let known = queries[shape] { return known }
    let (sql, isLasting) = try render()
    let statement = try prepare(sql, isPersistent: isLasting)
    if isLasting { queries[shape] = statement }
    return statement
  }

  private func prepare(_ sql: String, isPersistent: Bool) throws -> SQLiteStatement {
    do {
      return try connection.prepare(sql, isPersistent: isPersistent)
    } catch {
      guard error.code == .error else { throw error }
      throw MagicError(
        .invalidQuery, "SQLite does not take the query: \(error.message).", cause: error)
    }
  }

  /// Sets a statement's parameters; lists take none.
  ///
  /// - Throws: `MagicError` with `.notSaved` for an object that is no row of this database.
  package func bind(_ values: [QueryValue], to statement: SQLiteStatement) throws {
    arena.reset()
    var index = 0
    for value in values {
      index += 1
      switch value {
      case .list: index -= 1
      case .object(let object):
        try statement.bind(try zIndex(of: object), at: index)
      default: try bind(value, to: statement, at: index)
      }
    }
  }

  package func bind(
    _ value: QueryValue, to statement: SQLiteStatement, at index: Int
  ) throws {
    switch value {
    case .null, .object, .list: try statement.bindNull(at: index)
    case .integer(let integer): try statement.bind(integer, at: index)
    case .real(let real): try statement.bind(real, at: index)
    case .text(var text):
      try text.withUTF8 {
        try statement.bind(text: UnsafeRawBufferPointer($0), at: index, in: arena)
      }
    case .blob(let bytes):
      try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: index, in: arena) }
    }
  }

  /// Whether transactions that write run on this connection.
  var writes: Bool {
    switch connection.configuration.access {
    case .readWrite, .readWriteExisting: true
    case .readOnly, .immutable: false
    }
  }

  /// The row an object is here; in a transaction also one that it has made.
  package func zIndex<Model: MagicObject>(of object: Model) throws -> Int64 {
    let schema = try ObjectSchema.of(Model.self)
    let identity = schema.withReference(to: object) {
      writes ? $0.identity(inTransactionOf: token) : $0.identity
    }
    guard let identity, identity.store == token else {
      throw MagicError(
        .notSaved, "A query was given an object that is not in this database.",
        type: schema.typeName)
    }
    return identity.zIndex.rawValue
  }

  /// Puts the values of lists where a statement looks for them: in temporary tables.
  package func fill(_ values: [QueryValue]) throws {
    var list = 0
    for case .list(let members) in values {
      list += 1
      let table = Self.listTable(list)
      try connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS \(table) (\"value\" PRIMARY KEY) WITHOUT ROWID")
      try connection.cachedStatement("DELETE FROM temp.\(table)").run()
      let insert = try connection.cachedStatement(
        "INSERT OR IGNORE INTO temp.\(table) VALUES (?)")
      var cancellation = CancellationCheck()
      for member in members {
        try cancellation.count()
        arena.reset()
        if case .object(let object) = member {
          try insert.bind(try zIndex(of: object), at: 1)
        } else {
          try bind(member, to: insert, at: 1)
        }
        try insert.run()
      }
    }
  }

  /// Lets the values of lists go.
  package func empty(_ values: [QueryValue]) throws {
    var list = 0
    for case .list in values {
      list += 1
      try connection.cachedStatement("DELETE FROM temp.\(Self.listTable(list))").run()
    }
  }

  /// Where the values of a list are, counted from 1.
  package static func listTable(_ list: Int) -> String { "\"magic_list_\(list)\"" }
}
