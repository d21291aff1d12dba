import MagicEngine
import MagicSchema

/// Consecutive objects of one type, for code that does not depend on the type.
protocol ObjectGroup {
  var schema: ObjectSchema { get }
  /// The objects at stable addresses.
  var retained: RetainedObjects { get }
  var count: Int { get }

  func save(in transaction: ObjectTransaction, _ rules: SavingRules) throws -> [ZIndex]
  func remove(in transaction: ObjectTransaction) throws
}

private struct TypedGroup<Model: MagicObject>: ObjectGroup {
  let objects: [Model]
  let schema: ObjectSchema

  var count: Int { objects.count }
  var retained: RetainedObjects { RetainedArray(objects, schema: schema) }

  func save(in transaction: ObjectTransaction, _ rules: SavingRules) throws -> [ZIndex] {
    try transaction.save(objects, schema, rules)
  }

  func remove(in transaction: ObjectTransaction) throws {
    try transaction.remove(objects, schema)
  }
}

/// Objects of several types in their order, with consecutive objects of one type as a group. Each
/// object is cast to its type once.
struct ObjectGroups {
  private(set) var groups: [any ObjectGroup] = []

  /// - Throws: `MagicError` if a type cannot be stored.
  init(_ objects: [any MagicObject]) throws {
    var rest = objects[...]
    while let first = rest.first { groups.append(try Self.group(like: first, &rest)) }
  }

  private static func group<Model: MagicObject>(
    like first: Model, _ rest: inout ArraySlice<any MagicObject>
  ) throws -> any ObjectGroup {
    let schema = try ObjectSchema.of(Model.self)
    var objects: [Model] = []
    while let next = rest.first as? Model {
      objects.append(next)
      rest.removeFirst()
    }
    return TypedGroup(objects: objects, schema: schema)
  }
}
