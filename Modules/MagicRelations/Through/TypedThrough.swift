package import MagicRuntime
package import MagicSchema

/// The join type of a relationship. Its properties are found by evaluating key paths on a template
/// object of the join type.
package final class TypedThrough<Join: MagicObject>: Locked, ThroughRelationship,
  @unchecked Sendable
{
  private struct Paths {
    let owner: PropertyReference?
    let member: PropertyReference?
    /// The outer optional is nil for a relationship without an order.
    let order: PropertyReference??
  }

  private let find: @Sendable (Join) -> Paths
  @exclusivity(unchecked) private var known: JoinType?

  package init<Owner, Member>(
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable,
    _ order: (any KeyPath<Join, MagicField<Int>> & Sendable)?
  ) {
    find = { join in
      Paths(
        owner: join[keyPath: owner].ownReference, member: join[keyPath: member].ownReference,
        order: order.map { join[keyPath: $0].ownReference })
    }
    super.init()
  }

  package func resolved() throws -> JoinType {
    if let known = withLock({ known }) { return known }
    let found = try evaluate()
    withLock { known = found }
    return found
  }

  private func evaluate() throws -> JoinType {
    let schema = try ObjectSchema.of(Join.self)
    guard let paths = schema.evaluate(on: Join.self, find) else {
      throw refusal("The key paths of the relationship do not refer to properties", schema)
    }
    guard let owner = toOne(paths.owner, schema) else {
      throw refusal("The first key path of the relationship does not refer to a to-one", schema)
    }
    guard let target = toOne(paths.member, schema) else {
      throw refusal("The second key path of the relationship does not refer to a to-one", schema)
    }
    guard owner != target else {
      throw refusal("Both key paths of the relationship refer to the same to-one", schema)
    }
    let order = try paths.order.map { try orderColumn($0, schema) }
    return JoinType(schema, owner: owner, target: target, order: order)
  }

  private func toOne(_ path: PropertyReference?, _ schema: ObjectSchema) -> Int? {
    guard let path else { return nil }
    return schema.toOnes.first { $0.schema.template.storage === path.storage }?.column
  }

  private func orderColumn(_ path: PropertyReference?, _ schema: ObjectSchema) throws -> Int {
    let column = path.flatMap { path in
      schema.columns.firstIndex { $0.template.storage === path.storage }
    }
    guard let column, schema.columns[column].role == .required, schema.version != column else {
      throw refusal("The order of the relationship is not a @MagicValue", schema)
    }
    return column
  }

  private func refusal(_ reason: String, _ schema: ObjectSchema) -> MagicError {
    MagicError(
      .invalidSchema, "\(reason) of \(schema.typeName). Name a property that the type declares.",
      type: schema.typeName)
  }
}

/// The relationship of a wrapper that was not declared in its type.
final class UndeclaredThrough: ThroughRelationship {
  func resolved() throws -> JoinType {
    throw MagicError(
      .invalidSchema,
      "The type does not declare the key paths of @MagicThrough. Declare them with the property.")
  }
}
