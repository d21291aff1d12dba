public import MagicSchema

/// A property that was set since its object was last fetched or saved.
///
/// ```swift
/// for change in again.changes { print(change) }  // name: "Annie" → "Ann B."
/// ```
///
/// The values have the types that a ``MagicRecord`` contains: the value itself, or the ``MagicID`` of
/// each object of a relationship. They are nil for a property that a record does not contain: an
/// asset, a lazy relationship or an inverse relationship.
public struct MagicPropertyChange: @unchecked Sendable {
  /// The name of the property in Swift.
  public let name: String
  /// The value when the object was last fetched or saved; nil if it was nil, and for an object that
  /// is not saved.
  public let old: Any?
  /// The value now.
  public let new: Any?
}

extension MagicPropertyChange: CustomStringConvertible {
  /// The name and both values, for example `name: "Ann" → "Anna"`.
  public var description: String { "\(name): \(Self.text(old)) → \(Self.text(new))" }

  private static func text(_ value: Any?) -> String {
    guard let value else { return "nil" }
    return (value as? String)?.debugDescription ?? "\(value)"
  }
}

extension MagicObject {
  /// The properties that were set since the object was last fetched or saved, in the order of their
  /// declarations, with their values then and now. Nothing is read from a database.
  ///
  /// The list has the properties of ``changedProperties``. Setting a property to its current value
  /// counts as a change. Each value is read atomically, but not all at one moment.
  public var changes: [MagicPropertyChange] {
    guard let schema = try? ObjectSchema.of(Self.self) else { return [] }
    let changed = changedProperties
    guard !changed.isEmpty else { return [] }
    let (old, new) = (savedValues.entries, values.entries)
    let slots = schema.storedSlots.map { (schema.stored(at: $0).property, $0) }
    let places = Dictionary(slots, uniquingKeysWith: { first, _ in first })
    return changed.compactMap { name in
      places[name].map { slot in
        MagicPropertyChange(name: name, old: old[slot]?.value, new: new[slot]?.value)
      }
    }
  }

  /// The inverse relationships with edits that are not saved, in the order of their declarations.
  var inverseChanges: [MagicPropertyChange] {
    guard let schema = try? ObjectSchema.of(Self.self) else { return [] }
    return schema.withReference(to: self) { object in
      schema.reverses.indices.filter { object.reverseBox($0)?.hasEdits ?? false }
        .map { MagicPropertyChange(name: schema.reverses[$0].property, old: nil, new: nil) }
    }
  }

  /// The values that the properties had when the object was last fetched or saved. The record of an
  /// object that is not saved contains no properties. Nothing is read from a database.
  ///
  /// ```swift
  /// print(person.savedValues.$name ?? "", person.name)
  /// ```
  public var savedValues: MagicRecord<Self> {
    guard let schema = try? ObjectSchema.of(Self.self) else { return MagicRecord(entries: []) }
    return schema.withReference(to: self) { object in
      let isSaved = object.identity != nil
      return MagicRecord(
        entries: schema.recordedProperties.enumerated().map { slot, property in
          guard isSaved, let property else { return nil }
          guard object.isChanged(slot) else {
            return property.entry(of: object.property(slot), isSaved: true)
          }
          return (property as? any SavedProperty)?.saved(object.property(slot))
            .flatMap { property.entry(of: $0, isSaved: true) }
        })
    }
  }
}
