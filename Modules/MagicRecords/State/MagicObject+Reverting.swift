public import MagicSchema
import Magical

extension MagicObject {
  /// Discards the changes that were not saved: each changed property gets the value that it had when
  /// the object was last fetched or saved. Nothing is read from a database.
  ///
  /// A collection gets its members again. A lazy value that was set returns to the stored one. Edits
  /// of inverse relationships are discarded. The
  /// objects that this one refers to keep their changes, and so do plain properties. After a
  /// rolled-back save, the values are those from before that save.
  ///
  /// The method does nothing for an object that is not saved, because it has no saved values. Each
  /// value is set atomically, but not all at one moment. To get values that other instances or
  /// processes have saved, use `refresh(_:)` of a database.
  public func revert() {
    guard let schema = try? ObjectSchema.of(Self.self) else { return }
    schema.withReference(to: self) { object in
      guard object.identity != nil else { return }
      let first = object.property(0)
      for slot in schema.storedSlots {
        let property = object.property(slot)
        // A wrapper that was assigned from another object belongs to that object.
        guard property.isBox ? first.isBox : !first.isBox && property.row == first.row else {
          continue
        }
        let description = schema.stored(at: slot)
        if description.isLazy {
          property.lazyPropertyBox?.revert()
        } else {
          (description as? any SavedProperty)?.revert(property)
        }
      }
      for index in schema.reverses.indices { object.reverseBox(index)?.removeEdits() }
    }
  }
}

/// A property whose saved value is in memory.
protocol SavedProperty: PropertySchema {
  /// Gives a changed property its saved value again.
  func revert(_ property: PropertyReference)

  /// Returns a property that has the saved value, valid as long as the object; nil if there is none.
  func saved(_ property: PropertyReference) -> PropertyReference?
}

extension TypedColumn: SavedProperty {
  func revert(_ property: PropertyReference) { property.revert(Value.self) }

  func saved(_ property: PropertyReference) -> PropertyReference? {
    property.savedBox(Value.self).map { PropertyReference(box: $0) }
  }
}

extension TypedToOneColumn: SavedProperty {
  func revert(_ property: PropertyReference) { property.revert(Target.self) }

  func saved(_ property: PropertyReference) -> PropertyReference? {
    property.savedBox(Target.self).map { PropertyReference(box: $0) }
  }
}

extension TypedCollectionColumn: SavedProperty {
  func revert(_ property: PropertyReference) { property.revert(Value.self) }

  func saved(_ property: PropertyReference) -> PropertyReference? {
    property.savedBox(Value.self).map { PropertyReference(box: $0) }
  }
}
