public import MagicSchema

extension MagicObject {
  /// Returns a new, unsaved object with the values of this one. Later changes of one of them do not
  /// change the other.
  ///
  /// Relationships refer to the same objects. These properties are not copied and have the values
  /// that `init()` gives them:
  /// - the primary, so that the first save inserts a row with a new primary;
  /// - the version, which the first save assigns;
  /// - owned lists, because a member has one owner;
  /// - lazy relationships and lazy assets, whose values may not be in memory;
  /// - relationships that the query of this object excludes.
  ///
  /// Plain stored properties of a struct are copied, those of a class are not. Each value is read
  /// atomically, but not all at one moment. An asset is not read: both objects refer to one file.
  public func copy() -> Self {
    let new = Self()
    guard let schema = try? ObjectSchema.of(Self.self) else { return new }
    schema.withReference(to: self) { source in
      schema.withReference(to: new) { target in
        for slot in schema.storedSlots {
          guard let property = schema.stored(at: slot) as? any CopiedProperty,
            property.isCopied
          else { continue }
          property.copyValue(of: source.property(slot), to: target.property(slot))
        }
      }
    }
    return schema.isClass ? new : withProperties(of: new, schema)
  }

  /// Returns a copy of the struct that has the magic properties of another one, and the plain
  /// properties of this one.
  private func withProperties(of other: Self, _ schema: ObjectSchema) -> Self {
    var copy = self
    schema.withReference(to: other) { source in
      withUnsafeMutableBytes(of: &copy) { bytes in
        guard let base = bytes.baseAddress else { return }
        for (slot, offset) in schema.offsets.enumerated() {
          (base + offset).assumingMemoryBound(to: PropertyReference.self).pointee =
            source.property(slot)
        }
      }
    }
    return copy
  }
}

/// A property whose value `copy()` copies.
private protocol CopiedProperty: PropertySchema {
  var isCopied: Bool { get }

  /// Sets a property to the value of another one.
  func copyValue(of source: PropertyReference, to property: PropertyReference)
}

extension TypedColumn: CopiedProperty {
  var isCopied: Bool { role != .primary && !(self is VersionColumn) }

  func copyValue(of source: PropertyReference, to property: PropertyReference) {
    property.boxForChange(Value.self).store(source.load(Value.self))
  }
}

extension TypedToOneColumn: CopiedProperty {
  var isCopied: Bool { true }

  func copyValue(of source: PropertyReference, to property: PropertyReference) {
    guard !source.isExcluded(.link) else { return }
    property.boxForChange(Target.self).store(source.load(Target.self))
  }
}

extension TypedCollectionColumn: CopiedProperty {
  var isCopied: Bool { !isOwned }

  func copyValue(of source: PropertyReference, to property: PropertyReference) {
    guard !source.isExcluded(.object) else { return }
    property.boxForChange(Value.self).store(source.load(Value.self))
  }
}
