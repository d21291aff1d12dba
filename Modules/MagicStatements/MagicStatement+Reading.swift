import MagicEngine
public import Magical
public import MagicSchema
public import MagicStore

extension MagicStatement where Source: AsyncMagicDatabaseReader {
  /// Returns all rows, decoded as the given types, one for each column. A type that is not optional
  /// does not accept NULL.
  ///
  /// - Throws: `MagicError`: `.cannotDecode` if a column does not hold a value of its type,
  ///   `.invalidQuery` if the number of columns differs from the number of types; or
  ///   `CancellationError`.
  public func rows<each Value: MagicalColumn & Sendable>(
    _ types: repeat (each Value).Type
  ) async throws -> [(repeat each Value)] {
    try await source.run(rowsRequest(repeat (each Value).self))
  }

  /// Returns all rows of a statement with one column.
  ///
  /// - Throws: `MagicError` or `CancellationError`, for the same reasons as with several columns.
  public func rows<Value: MagicalColumn & Sendable>(_ type: Value.Type) async throws -> [Value] {
    try await source.run(rowsRequest(type))
  }

  /// Returns all rows with their stored values.
  ///
  /// - Throws: `MagicError`, or `CancellationError`.
  public func rows() async throws -> [MagicSQLRow] {
    try await source.run(untypedRowsRequest())
  }

  /// Returns the first row, decoded as the given types; nil if there is none. Further rows are not
  /// read.
  ///
  /// - Throws: `MagicError` or `CancellationError`, for the same reasons as `rows(_:)`.
  public func row<each Value: MagicalColumn & Sendable>(
    _ types: repeat (each Value).Type
  ) async throws -> (repeat each Value)? {
    try await source.run(rowsRequest(repeat (each Value).self, limit: 1)).first
  }

  /// Returns the only column of the first row; nil if there is no row, or if the column is NULL.
  ///
  /// - Throws: `MagicError` or `CancellationError`, for the same reasons as `rows(_:)`.
  public func value<Value: Magical & Sendable>(_ type: Value.Type) async throws -> Value? {
    try await source.run(rowsRequest(Value?.self, limit: 1)).first ?? nil
  }

  /// Returns the objects whose row IDs are in the result's column `z_index`, in the order of the
  /// rows, with all objects that they refer to. Everything is read from one snapshot. For rows with
  /// the same row ID, the result contains the same instance.
  ///
  /// - Throws: `MagicError`: `.invalidQuery` if the result has no column `z_index` or more than
  ///   one, `.cannotDecode` if that column holds NULL, `.notFound` if the type's table has no row
  ///   with that row ID; or `CancellationError`.
  public func objects<Model: MagicObject>(of type: Model.Type) async throws -> [Model] {
    try await source.run(objectsRequest(of: type))
  }
}

extension MagicStatement where Source: AsyncMagicDatabaseWriter {
  /// Runs the statement in a transaction of its own.
  ///
  /// Objects in memory are not changed. The delete rules of relationships apply.
  ///
  /// - Returns: the number of rows that an INSERT, UPDATE or DELETE changed, not including the
  ///   changes by triggers and cascades; 0 for other statements.
  /// - Throws: `MagicError` or `CancellationError`. Nothing is stored then.
  @discardableResult
  public func run() async throws -> Int {
    return try await source._write(isRepeatable: true) { [sql] in
      try $0.engine.run(sql.statement, nil, limit: 0) { _ in }
    }
  }
}

@available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
extension MagicStatement where Source: MagicDatabaseReader {
  /// Like the asynchronous `rows(_:)`, but blocks the thread. Inside a transaction a
  /// statement may write and return rows, as `INSERT … RETURNING` does.
  public func rows<each Value: MagicalColumn>(
    _ types: repeat (each Value).Type
  ) throws -> [(repeat each Value)] {
    try reading { try $0.rows(repeat (each Value).self) }
  }

  /// Like the asynchronous `rows(_:)`, but blocks the thread.
  public func rows<Value: MagicalColumn>(_ type: Value.Type) throws -> [Value] {
    try reading { try $0.rows(type) }
  }

  /// Like the asynchronous `rows()`, but blocks the thread.
  public func rows() throws -> [MagicSQLRow] {
    try reading { try $0.untypedRows() }
  }

  /// Like the asynchronous `row(_:)`, but blocks the thread.
  public func row<each Value: MagicalColumn>(
    _ types: repeat (each Value).Type
  ) throws -> (repeat each Value)? {
    try reading { try $0.rows(repeat (each Value).self, limit: 1) }.first
  }

  /// Like the asynchronous `value(_:)`, but blocks the thread.
  public func value<Value: Magical>(_ type: Value.Type) throws -> Value? {
    try reading { try $0.rows(Value?.self, limit: 1) }.first ?? nil
  }

  /// Like the asynchronous `objects(of:)`, but blocks the thread.
  public func objects<Model: MagicObject>(of type: Model.Type) throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    return try reading(schema) { try $0.objects(of: type, schema) }
  }
}

@available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
extension MagicStatement where Source: MagicDatabaseWriter {
  /// Like the asynchronous `run()`, but blocks the thread. Inside a transaction, the statement runs
  /// in a savepoint, which is rolled back if the statement throws.
  @discardableResult
  public func run() throws -> Int {
    return try source._write(isOneRow: false) {
      try $0.engine.run(sql.statement, nil, limit: 0) { _ in }
    }
  }
}
