public import MagicSchema
public import Magical
import SQLiteEngine
import SQLiteTables

extension DatabaseReader where Self: ~Copyable {
  /// All objects of a type, in z-index order; none for a type that was never saved.
  ///
  /// - Throws: `MagicError`.
  /// - Complexity: O(n) in the objects of the type, whose rows are all read.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func object<Model: MagicObject>(of type: Model.Type) throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    return try _read { try $0.connection.objects(of: type, schema) }
  }

  /// The object with a primary value.
  ///
  /// - Throws: `MagicError`: `.notFound` where there is none, `.missingPrimary` for a type without
  ///   one, `.wrongType` for a value of another type.
  /// - Complexity: O(log n) in the objects of the type.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func object<Model: MagicObject>(
    of type: Model.Type, primary: some MagicalPrimaryValue
  ) throws -> Model {
    let schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Swift.type(of: primary))
    guard
      let object = try _read({ try $0.connection.object(of: type, schema, primary: primary) })
    else { throw MagicError.noObject(schema) }
    return object
  }

  /// The objects with the given primary values, in their order, those that exist.
  ///
  /// - Throws: `MagicError`, as ``object(of:primary:)`` does, save that nothing is not found.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primaries: some Sequence<Primary>
  ) throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Primary.self)
    return try _read { try $0.connection.objects(of: type, schema, primaries: Array(primaries)) }
  }

  /// The first object in z-index order that the body accepts; nil where there is none.
  ///
  /// - Throws: `MagicError`, and what the body throws.
  /// - Complexity: O(n) in the objects before it: the body is Swift, no index serves it.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func first<Model: MagicObject>(
    of type: Model.Type, where accepts: (Model) throws -> Bool
  ) throws -> Model? {
    let schema = try ObjectSchema.of(type)
    return try _read { try $0.connection.first(of: type, schema, where: accepts) }
  }

  /// Whether there is an object with a primary value.
  ///
  /// - Throws: `MagicError`, as ``object(of:primary:)`` does, save that nothing is not found.
  /// - Complexity: O(log n) in the objects of the type.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func has<Model: MagicObject>(
    of type: Model.Type, primary: some MagicalPrimaryValue
  ) throws -> Bool {
    let schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Swift.type(of: primary))
    return try _read { try $0.connection.has(schema, primary: primary) }
  }
}
