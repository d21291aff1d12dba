package import MagicSchema

/// Runs statements in the engine's own dialect.
package protocol EngineStatements: AnyObject {
  /// Checks that a statement can run on some database. This depends on the statement alone, not on
  /// the contents of the database.
  ///
  /// - Throws: `MagicError` with `.invalidQuery`.
  func check(_ statement: RawStatement) throws

  /// Runs a read-only statement, and passes its rows to the closure in batches. There is at least
  /// one batch, which may be empty.
  ///
  /// - Parameters:
  ///   - model: the type of the objects that the statement returns, or nil for values.
  ///   - limit: the maximum number of rows that are read.
  /// - Throws: `MagicError`, and ``WritingStatement`` for a statement that writes.
  func read(
    _ statement: RawStatement, _ model: ObjectSchema?, limit: Int,
    _ use: (StatementRows) throws -> Void
  ) throws

  /// Returns the plan by which the statement would be run.
  ///
  /// - Throws: as ``read(_:_:limit:_:)``.
  func plan(of statement: RawStatement) throws -> StatementPlan
}

/// Runs statements that may write, in the engine's own dialect.
package protocol EngineStatementWriter: AnyObject {
  /// Runs a statement in the engine's dialect until it is done.
  ///
  /// - Parameters:
  ///   - model: the type of the objects that the statement returns, or nil for values.
  ///   - limit: the maximum number of rows that are passed to `use`.
  ///   - use: receives the rows in batches. There is at least one batch, which may be empty.
  /// - Returns: the number of rows that the statement changed.
  func run(
    _ statement: RawStatement, _ model: ObjectSchema?, limit: Int,
    _ use: (StatementRows) throws -> Void
  ) throws -> Int
}

/// A batch of rows of a statement, valid until the engine reads the next batch.
package struct StatementRows {
  package let rows: FieldRows
  /// The number of the first row of the batch. The first row of the statement has number 1.
  package let firstRow: Int
  /// Returns the name of a column by its index.
  package let columnName: (Int) -> String

  package init(_ rows: FieldRows, firstRow: Int, columnName: @escaping (Int) -> String) {
    self.rows = rows
    self.firstRow = firstRow
    self.columnName = columnName
  }
}

/// A statement that writes was passed to a function for read-only statements.
package struct WritingStatement: Error {
  package init() {}
}

extension MagicError {
  package static var writesInRead: MagicError {
    MagicError(
      .invalidQuery,
      "The statement writes. Use run(), or a transaction to read the rows that it returns.")
  }
}
