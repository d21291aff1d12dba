public import MagicSchema
import MagicRuntime
import Magical

/// A property that leads back along a relationship of another type, or of its own.
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
/// The relationship may be a to-one, an array, a dictionary or a ``MagicalSet``. The property
/// cannot be set: what refers to the object changes where it is declared.
@propertyWrapper
public struct ReverseMagicValue<Owner: MagicObject>: Sendable {
  package let reference: PropertyReference

  /// The way back along a relationship.
  ///
  /// - Parameter relationship: a key path to the projected relationship, as in `\Shelf.$books`. It
  ///   must refer to objects of the type that declares this property; else that type is refused with
  ///   ``MagicError/Code/invalidSchema`` when it is first used.
  public init<Value: MagicalRelation>(
    _ relationship: any KeyPath<Owner, MagicField<Value>> & Sendable
  ) {
    self.init(along: { $0[keyPath: relationship].ownReference })
  }

  /// The same for a relationship that may be nil.
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
      let cell = unsafeDowncast(reference.storage, to: ReversePropertyBox.self)
      relationship = cell.relationship
      identity = cell.existingRecord?.identity
    } else {
      let row = reference.row
      let schema = row.chunk.schema
      relationship =
        schema.reverses[reference.column - schema.layout.slotCount].relationship
      identity = row.existingRecord.map(\.identity) ?? row.fetchedIdentity
    }
    return AsyncReverseMagicSet(of: identity, along: relationship)
  }

  /// The property itself, for queries: `$0.$playlists.count`.
  public var projectedValue: MagicField<AsyncReverseMagicSet<Owner>> {
    MagicField(reference: reference)
  }
}

extension ReverseMagicValue: MagicProperty {
  package func schema(named name: String, options: [MagicOption]) -> PropertySchema {
    ReverseProperty(
      property: name, valueType: AsyncReverseMagicSet<Owner>.self, template: reference,
      relationship: unsafeDowncast(reference.storage, to: ReversePropertyBox.self).relationship)
  }
}

/// A relationship that is found with a key path on an object of the type that declares it.
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
    let found = try look()
    withLock { known = found }
    return found
  }

  private func look() throws -> (owner: ObjectSchema, property: PropertySchema) {
    let owner = try ObjectSchema.of(Owner.self)
    guard
      let reference = owner.evaluate(on: Owner.self, find) ?? nil,
      let property = owner.relationship(at: reference)
    else {
      throw MagicError(
        .invalidSchema,
        "A reverse property's key path refers to no relationship of the type's own.",
        type: owner.typeName)
    }
    return (owner, property)
  }
}
