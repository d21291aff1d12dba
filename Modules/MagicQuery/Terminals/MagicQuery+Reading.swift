import MagicSchema
public import MagicStore

extension MagicQuery where Source: DatabaseReader {
  /// The objects, with all they lead to.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func all() throws -> [Model] {
    let call = try plan.objects(Model.self)
    return try source._read { try $0.connection.objects(of: Model.self, call) }
  }

  /// The first object; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func first() throws -> Model? {
    let call = try plan.first(Model.self)
    return try source._read { try $0.connection.objects(of: Model.self, call).first }
  }

  /// How many objects there are, limit and offset counted in.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func count() throws -> Int {
    let call = try plan.count(Model.self)
    return try source._read { try $0.connection.integer(call) }
  }

  /// Whether there is an object.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func exists() throws -> Bool {
    let call = try plan.exists(Model.self)
    return try source._read { try $0.connection.hasRow(call) }
  }
}
