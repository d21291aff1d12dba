import MagicGraph
public import MagicSchema
public import Magical

/// The identifier of an object: its primary value or, if the type has no primary, the ID of its row.
///
/// ```swift
/// let id = song.magicID
/// let again = try await magic.object(with: id)
/// ```
///
/// It identifies the object within one database, and is encoded as the primary value or the row ID
/// alone. An object without either, such as one with an `Int` primary before its first save, has an
/// identifier that only its copies have, as long as one of them exists. It cannot be encoded, and
/// the first save gives the object another one.
///
/// An object type that conforms to `Identifiable` and has no property `id` of its own has its
/// identifier as `id`.
public struct MagicID<Model: MagicObject>: Hashable, Sendable {
  package let key: IdentifierKey

  package init(key: IdentifierKey) { self.key = key }

  /// Creates the identifier of an object. A default primary value that was not created yet is
  /// created.
  public init(_ object: Model) {
    guard let schema = try? ObjectSchema.of(Model.self) else {
      key = .unsaved(0)
      return
    }
    key = schema.withReference(to: object) { IdentifierKey(of: $0) }
  }

  /// Creates the identifier of the object with a primary value.
  ///
  /// - Throws: `MagicError`: `.missingPrimary` if the type has no primary, `.wrongType` if the
  ///   primary of the type has another type, `.cannotEncode` if the value cannot be stored.
  public init<Primary: MagicalPrimaryValue>(primary: Primary) throws {
    let schema = try ObjectSchema.of(Model.self)
    try schema.checkPrimary(Primary.self)
    guard let key = try? IdentifierKey(stored: primary.storedValue) else {
      throw MagicError(
        .cannotEncode, "The primary value cannot be stored.", type: schema.typeName)
    }
    self.key = key
  }
}

extension MagicObject {
  /// The identifier of the object: its primary value or, if the type has no primary, its row ID.
  public var magicID: MagicID<Self> { MagicID(self) }
}

extension MagicObject where Self: Identifiable {
  /// The identifier of the object.
  public var id: MagicID<Self> { MagicID(self) }
}

// Without this extension, a class would have two properties `id`: the one above, and the
// `ObjectIdentifier` that the standard library gives every class.
extension MagicObject where Self: Identifiable & AnyObject {
  /// The identifier of the object.
  public var id: MagicID<Self> { MagicID(self) }
}
