public import MagicSchema

/// What is saved of an object. Nothing is read from a database.
extension MagicObject {
  /// Whether the object has a row in a database: ``zIndex`` is not nil.
  ///
  /// The result is false before the first save and after the object was removed. A transaction that
  /// is rolled back restores the earlier result. If the row was deleted in another way, for example
  /// by SQL or through another fetch of the object, the result remains true.
  public var isSaved: Bool { rowIdentity != nil }

  /// Whether a property was set since the object was last fetched or saved. The result is true for
  /// an object that is not saved.
  ///
  /// Setting a property to its current value, or adding and removing a member of a collection,
  /// counts as a change, and so does an edit of an inverse relationship. A change of an object that
  /// this one refers to does not. After a rolled-back save, the object has its changes again.
  public var hasChanges: Bool {
    guard let schema = try? ObjectSchema.of(Self.self) else { return true }
    return schema.withReference(to: self) { object in
      object.identity == nil || schema.storedSlots.contains { object.isChanged($0) }
        || object.hasInverseEdits
    }
  }

  /// The names of the properties that were set since the object was last fetched or saved, in the
  /// order of their declarations. For an object that is not saved, these are all its stored
  /// properties. Inverse relationships and plain properties are not stored.
  ///
  /// Each property is read atomically, but not all at one moment.
  public var changedProperties: [String] {
    guard let schema = try? ObjectSchema.of(Self.self) else { return [] }
    return schema.withReference(to: self) { object in
      let isSaved = object.identity != nil
      return schema.storedSlots.sorted { schema.offsets[$0] < schema.offsets[$1] }
        .filter { !isSaved || object.isChanged($0) }
        .map { schema.stored(at: $0).property }
    }
  }
}

extension ObjectSchema {
  /// The indexes of the columns and collections.
  var storedSlots: Range<Int> { 0..<columns.count + collections.count }
}

extension ObjectReference {
  /// Whether a column or collection was set since the object was last fetched or saved.
  func isChanged(_ slot: Int) -> Bool {
    property(slot).isChanged(schema, slot, since: property(0))
  }
}
