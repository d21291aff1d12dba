import MagicSchema
public import MagicStore

extension MagicQuery where Source: AsyncDatabaseReader {
  /// The objects, with all they lead to.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func all() async throws -> [Model] {
    let call = try plan.objects(Model.self)
    return try await source._read { try $0.connection.objects(of: Model.self, call) }
  }

  /// The first object; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func first() async throws -> Model? {
    let call = try plan.first(Model.self)
    return try await source._read { try $0.connection.objects(of: Model.self, call).first }
  }

  /// How many objects there are, limit and offset counted in.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func count() async throws -> Int {
    let call = try plan.count(Model.self)
    return try await source._read { try $0.connection.integer(call) }
  }

  /// Whether there is an object.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func exists() async throws -> Bool {
    let call = try plan.exists(Model.self)
    return try await source._read { try $0.connection.hasRow(call) }
  }
}
