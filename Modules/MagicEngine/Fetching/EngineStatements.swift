package import MagicSchema

/// Runs statements in the engine's own dialect.
package protocol EngineStatements: AnyObject {
  /// Refuses a statement that never runs, whatever the database holds.
  ///
  /// - Throws: `MagicError` with `.invalidQuery`.
  func check(_ statement: RawStatement) throws

  /// Runs a statement that reads, and hands out its rows in batches: one at least, which may be empty.
  ///
  /// - Parameters:
  ///   - model: the type that objects are read of; nil for values.
  ///   - limit: the most rows that are read.
  /// - Throws: `MagicError`, and ``WritingStatement`` for a statement that writes.
  func read(
    _ statement: RawStatement, _ model: ObjectSchema?, limit: Int,
    _ use: (StatementRows) throws -> Void
  ) throws

  /// How the statement would be run.
  ///
  /// - Throws: as ``read(_:_:limit:_:)``.
  func plan(of statement: RawStatement) throws -> StatementPlan
}

/// Runs statements that may write, in the engine's own dialect.
package protocol EngineStatementWriter: AnyObject {
  /// Runs a statement in the engine's dialect to its end.
  ///
  /// - Parameters:
  ///   - model: the type that objects are read of; nil for values.
  ///   - limit: the most rows that are handed out.
  ///   - use: is called with the rows, in batches: with one at least, which may be empty.
  /// - Returns: how many rows it changed.
  func run(
    _ statement: RawStatement, _ model: ObjectSchema?, limit: Int,
    _ use: (StatementRows) throws -> Void
  ) throws -> Int
}

/// Some rows of a statement, valid until the engine reads on.
package struct StatementRows {
  package let rows: FieldRows
  /// The number of the first of the rows, from 1.
  package let firstRow: Int
  /// The name of a column, which counts from 0.
  package let columnName: (Int) -> String

  package init(_ rows: FieldRows, firstRow: Int, columnName: @escaping (Int) -> String) {
    self.rows = rows
    self.firstRow = firstRow
    self.columnName = columnName
  }
}

/// A statement that writes was to be run where only reading is possible.
package struct WritingStatement: Error {
  package init() {}
}

extension MagicError {
  package static var writesInRead: MagicError {
    MagicError(
      .invalidQuery,
      "The statement writes: use run(), or a transaction to read what it returns.")
  }
}
