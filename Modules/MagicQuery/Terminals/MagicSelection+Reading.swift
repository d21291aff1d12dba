public import MagicStore

extension MagicSelection where Source: DatabaseReader {
  /// The rows.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func all() throws -> [Row] {
    let (call, reader) = (try QueryCall(Model.self, plan, .tuples), try reader.get())
    return try source._read { try $0.connection.rows(call, reader) }
  }

  /// The first row; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func first() throws -> Row? {
    let (call, reader) = (try plan.firstTuple(Model.self), try reader.get())
    return try source._read { try $0.connection.rows(call, reader).first }
  }

  /// How many rows there are, limit and offset counted in.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func count() throws -> Int {
    let call = try QueryCall(Model.self, plan, .tupleCount)
    return try source._read { try $0.connection.integer(call) }
  }
}
