import MagicEngine
import MagicSchema
public import MagicStore
public import Magical

// Rows as values of named types.

extension MagicStatement {
  /// Returns the request for the rows, decoded as a type by the names of the columns.
  package func rowsRequest<Row: Decodable & Sendable>(
    as type: Row.Type
  ) -> StatementRequest<[Row]> {
    StatementRequest(sql, nil) { try $0.rows(as: type) }
  }

  /// Returns the request for the rows, whose columns are assigned to properties of a value.
  package func rowsRequest<Row: Sendable, each Value: MagicalColumn>(
    into initial: Row, _ paths: repeat any WritableKeyPath<Row, each Value> & Sendable
  ) -> StatementRequest<[Row]> {
    StatementRequest(sql, nil) { try $0.rows(into: initial, repeat each paths) }
  }
}

extension MagicStatement where Source: AsyncMagicDatabaseReader {
  /// Returns all rows as values of a type, whose properties have the names of the columns.
  ///
  /// ```swift
  /// nonisolated struct Team: Decodable {
  ///   var age = 0
  ///   var members = 0
  /// }
  ///
  /// let teams = magic.sql("SELECT age, count(*) AS members FROM Person GROUP BY age")
  /// let decoded = try await teams.rows(as: Team.self)
  /// ```
  ///
  /// Each property needs a column of its name; the order of the columns is not significant. A
  /// property that is not optional does not accept NULL. `rows(_:)` is faster for many rows.
  ///
  /// - Throws: `MagicError`: `.cannotDecode` if a column does not hold a value of its property's
  ///   type, `.invalidQuery` if the result has no column for a property, or more than one; or
  ///   `CancellationError`.
  public func rows<Row: Decodable & Sendable>(as type: Row.Type) async throws -> [Row] {
    try await source.run(rowsRequest(as: type))
  }

  /// Returns all rows as copies of a value, whose properties are set to the columns, in the given
  /// order: `rows(into: Team(), \.age, \.members)`.
  ///
  /// - Throws: `MagicError` or `CancellationError`, for the same reasons as `rows(_:)`.
  public func rows<Row: Sendable, each Value: MagicalColumn>(
    into initial: Row, _ paths: repeat any WritableKeyPath<Row, each Value> & Sendable
  ) async throws -> [Row] {
    try await source.run(rowsRequest(into: initial, repeat each paths))
  }
}

@available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
extension MagicStatement where Source: MagicDatabaseReader {
  /// Like the asynchronous `rows(as:)`, but blocks the thread.
  public func rows<Row: Decodable>(as type: Row.Type) throws -> [Row] {
    try reading { try $0.rows(as: type) }
  }

  /// Like the asynchronous `rows(into:_:)`, but blocks the thread.
  public func rows<Row, each Value: MagicalColumn>(
    into initial: Row, _ paths: repeat any WritableKeyPath<Row, each Value> & Sendable
  ) throws -> [Row] {
    try reading { try $0.rows(into: initial, repeat each paths) }
  }
}

extension StatementSession {
  fileprivate func rows<Row: Decodable>(as type: Row.Type) throws -> [Row] {
    guard !(type is any MagicObject.Type) else {
      throw MagicError(
        .invalidQuery,
        "\(type) is a type of objects, which are not decoded from columns. Call objects(of:).",
        type: "\(type)")
    }
    var rows: [Row] = []
    var known: RowLayout?
    try forEachBatch { batch in
      let layout =
        known ?? RowLayout(type, columns: (0..<batch.rows.width).map(batch.columnName))
      known = layout
      for index in 0..<batch.rows.count {
        layout.beginRow()
        let row = StatementRow(batch, index)
        do {
          rows.append(try Row(from: RowDecoder(row: row, layout: layout)))
        } catch let error where !(error is MagicError || error is CancellationError) {
          // The error of a custom type may contain the value, so only the error's type is reported.
          throw MagicError(
            .cannotDecode,
            "Row \(row.number) cannot be decoded as \(type): \(Swift.type(of: error)).",
            type: "\(type)", cause: MagicalError.cannotDecode("\(Swift.type(of: error))"))
        }
      }
    }
    return rows
  }

  fileprivate func rows<Row, each Value: MagicalColumn>(
    into initial: Row, _ paths: repeat any WritableKeyPath<Row, each Value> & Sendable
  ) throws -> [Row] {
    var expected = 0
    for _ in repeat (each Value).self { expected += 1 }
    var rows: [Row] = []
    try forEachBatch { batch in
      try Self.expect(expected, of: batch)
      for index in 0..<batch.rows.count {
        var row = StatementRow(batch, index)
        var value = initial
        repeat (value[keyPath: each paths] = try row.next((each Value).self))
        rows.append(value)
      }
    }
    return rows
  }
}
