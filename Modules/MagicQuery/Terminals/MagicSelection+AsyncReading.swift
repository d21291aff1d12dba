public import MagicStore

extension MagicSelection where Source: AsyncDatabaseReader, Row: Sendable {
  /// The rows.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func all() async throws -> [Row] {
    let (call, reader) = (try QueryCall(Model.self, plan, .tuples), try reader.get())
    return try await source._read { try $0.connection.rows(call, reader) }
  }

  /// The first row; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func first() async throws -> Row? {
    let (call, reader) = (try plan.firstTuple(Model.self), try reader.get())
    return try await source._read { try $0.connection.rows(call, reader).first }
  }

  /// How many rows there are, limit and offset counted in.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func count() async throws -> Int {
    let call = try QueryCall(Model.self, plan, .tupleCount)
    return try await source._read { try $0.connection.integer(call) }
  }
}
