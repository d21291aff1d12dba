import MagicEngine
public import Magical
public import MagicSchema
public import MagicStore

extension MagicStatement where Source: AsyncMagicDatabaseReader {
  /// All rows, each read as the given types, one for each column: a type that is not optional
  /// refuses NULL.
  ///
  /// - Throws: `MagicError`: `.cannotDecode` for a column that is no such value, `.invalidQuery`
  ///   for another number of columns, or `CancellationError`.
  public func rows<each Value: MagicalColumn & Sendable>(
    _ types: repeat (each Value).Type
  ) async throws -> [(repeat each Value)] {
    try await source.run(rowsRequest(repeat (each Value).self))
  }

  /// All rows of one column.
  ///
  /// - Throws: `MagicError`, as for several columns.
  public func rows<Value: MagicalColumn & Sendable>(_ type: Value.Type) async throws -> [Value] {
    try await source.run(rowsRequest(type))
  }

  /// All rows as the database has them.
  ///
  /// - Throws: `MagicError`, or `CancellationError`.
  public func rows() async throws -> [MagicSQLRow] {
    try await source.run(untypedRowsRequest())
  }

  /// The first row, read as the given types; nil where there is none. Those behind it are not read.
  ///
  /// - Throws: `MagicError`, as `rows` does, or `CancellationError`.
  public func row<each Value: MagicalColumn & Sendable>(
    _ types: repeat (each Value).Type
  ) async throws -> (repeat each Value)? {
    try await source.run(rowsRequest(repeat (each Value).self, limit: 1)).first
  }

  /// The one column of the first row; nil where there is no row, or NULL in it.
  ///
  /// - Throws: `MagicError`, as `rows` does, or `CancellationError`.
  public func value<Value: Magical & Sendable>(_ type: Value.Type) async throws -> Value? {
    try await source.run(rowsRequest(Value?.self, limit: 1)).first ?? nil
  }

  /// The objects that the rows name by a column `z_index`, in the order of the rows, with all they
  /// refer to. All of it is one snapshot, and a row of the type's table that comes twice is one
  /// instance.
  ///
  /// - Throws: `MagicError`: `.invalidQuery` without such a column or with two, `.cannotDecode` for
  ///   NULL in it, `.notFound` for a z-index that the type's table does not have, or `CancellationError`.
  public func objects<Model: MagicObject>(of type: Model.Type) async throws -> [Model] {
    try await source.run(objectsRequest(of: type))
  }
}

extension MagicStatement where Source: AsyncMagicDatabaseWriter {
  /// Runs the statement in a transaction; inside one, as a part of it of which nothing stays where it
  /// throws.
  ///
  /// Objects in memory are not changed by it. The rules of relationships hold.
  ///
  /// - Returns: the rows that an INSERT, UPDATE or DELETE changed, without those of triggers and
  ///   cascades; 0 for other statements.
  /// - Throws: `MagicError`, or `CancellationError`. Nothing is stored then.
  @discardableResult
  public func run() async throws -> Int {
    return try await source._write(isRepeatable: true) { [sql] in
      try $0.engine.run(sql.statement, nil, limit: 0) { _ in }
    }
  }
}

@available(*, noasync, message: "these calls block the thread: tasks use MagicData")
extension MagicStatement where Source: MagicDatabaseReader {
  /// As the asynchronous `rows(_:)`, but blocks the thread. Inside a transaction a statement may
  /// write and yield rows, as `INSERT … RETURNING` does.
  public func rows<each Value: MagicalColumn>(
    _ types: repeat (each Value).Type
  ) throws -> [(repeat each Value)] {
    try reading { try $0.rows(repeat (each Value).self) }
  }

  /// As the asynchronous `rows(_:)`, but blocks the thread.
  public func rows<Value: MagicalColumn>(_ type: Value.Type) throws -> [Value] {
    try reading { try $0.rows(type) }
  }

  /// As the asynchronous `rows()`, but blocks the thread.
  public func rows() throws -> [MagicSQLRow] {
    try reading { try $0.untypedRows() }
  }

  /// As the asynchronous `row(_:)`, but blocks the thread.
  public func row<each Value: MagicalColumn>(
    _ types: repeat (each Value).Type
  ) throws -> (repeat each Value)? {
    try reading { try $0.rows(repeat (each Value).self, limit: 1) }.first
  }

  /// As the asynchronous `value(_:)`, but blocks the thread.
  public func value<Value: Magical>(_ type: Value.Type) throws -> Value? {
    try reading { try $0.rows(Value?.self, limit: 1) }.first ?? nil
  }

  /// As the asynchronous `objects(of:)`, but blocks the thread.
  public func objects<Model: MagicObject>(of type: Model.Type) throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    return try reading(schema) { try $0.objects(of: type, schema) }
  }
}

@available(*, noasync, message: "these calls block the thread: tasks use MagicData")
extension MagicStatement where Source: MagicDatabaseWriter {
  /// As the asynchronous `run()`, but blocks the thread.
  @discardableResult
  public func run() throws -> Int {
    return try source._write(isOneRow: false) {
      try $0.engine.run(sql.statement, nil, limit: 0) { _ in }
    }
  }
}
