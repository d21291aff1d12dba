public import MagicSchema
import MagicRuntime
import Magical

/// A property that is the inverse of a relationship of another type, or of the same type.
///
/// ```swift
/// struct Song: MagicObject {
///   @MagicValue var title: String
///   @ReverseMagicValue(\Playlist.$songs) var playlists: AsyncReverseMagicSet<Playlist>
///
///   init() {}
/// }
/// ```
///
/// The relationship may be a to-one relationship, an array, a dictionary or a ``MagicalSet``. The
/// property cannot be set: change the relationship, or use ``AsyncReverseMagicSet/insert(_:)`` and
/// ``AsyncReverseMagicSet/remove(_:)``.
@propertyWrapper
public struct ReverseMagicValue<Owner: MagicObject>: Sendable {
  package let reference: PropertyReference

  /// Creates the inverse of a relationship.
  ///
  /// - Parameter relationship: a key path to the projected relationship, as in `\Shelf.$books`. The
  ///   relationship must refer to objects of the type that declares this property. Otherwise the
  ///   first use of that type throws ``MagicError/Code/invalidSchema``.
  public init<Value: MagicalRelation>(
    _ relationship: any KeyPath<Owner, MagicField<Value>> & Sendable
  ) {
    self.init(along: { $0[keyPath: relationship].ownReference })
  }

  /// Creates the inverse of a relationship that may be nil.
  public init<Value: MagicalRelation>(
    _ relationship: any KeyPath<Owner, MagicField<Value?>> & Sendable
  ) {
    self.init(along: { $0[keyPath: relationship].ownReference })
  }

  package init(along relationship: @escaping @Sendable (Owner) -> PropertyReference?) {
    reference = PropertyReference(box: ReversePropertyBox(TypedRelationship<Owner>(relationship)))
  }

  /// The objects that refer to this one.
  public var wrappedValue: AsyncReverseMagicSet<Owner> {
    let relationship: any ReverseRelationship
    let identity: RowIdentity?
    if reference.isBox {
      let box = unsafeDowncast(reference.storage, to: ReversePropertyBox.self)
      relationship = unsafeDowncast(box.relationship, to: TypedRelationship<Owner>.self)
      identity = box.existingRecord?.identity
    } else {
      let row = reference.row
      let schema = row.chunk.schema
      relationship =
        schema.reverses[reference.column - schema.layout.slotCount].relationship
      identity = row.existingRecord.map(\.identity) ?? row.fetchedIdentity
    }
    return AsyncReverseMagicSet(of: identity, along: relationship, reference)
  }

  /// The property itself, for queries: `$0.$playlists.count`.
  public var projectedValue: MagicField<AsyncReverseMagicSet<Owner>> {
    MagicField(reference: reference)
  }
}

extension ReverseMagicValue: MagicProperty {
  package func schema(named name: String, options: [MagicOption]) -> PropertySchema {
    let box = unsafeDowncast(reference.storage, to: ReversePropertyBox.self)
    return ReverseProperty(
      property: name, valueType: AsyncReverseMagicSet<Owner>.self, template: reference,
      relationship: unsafeDowncast(box.relationship, to: TypedRelationship<Owner>.self))
  }
}

/// The relationship that an inverse relationship inverts. It is found by evaluating a key path on a
/// template object of the type that declares it.
private final class TypedRelationship<Owner: MagicObject>: Locked, ReverseRelationship,
  @unchecked Sendable
{
  private let find: @Sendable (Owner) -> PropertyReference?
  @exclusivity(unchecked) private var known: (owner: ObjectSchema, property: PropertySchema)?

  init(_ find: @escaping @Sendable (Owner) -> PropertyReference?) {
    self.find = find
    super.init()
  }

  func resolved() throws -> (owner: ObjectSchema, property: PropertySchema) {
    if let known = withLock({ known }) { return known }
    let found = try evaluate()
    withLock { known = found }
    return found
  }

  private func evaluate() throws -> (owner: ObjectSchema, property: PropertySchema) {
    let owner = try ObjectSchema.of(Owner.self)
    guard
      let reference = owner.evaluate(on: Owner.self, find) ?? nil,
      let property = owner.relationship(at: reference)
    else {
      throw MagicError(
        .invalidSchema,
        "The key path of an inverse relationship does not refer to a relationship of the type.",
        type: owner.typeName)
    }
    return (owner, property)
  }
}
