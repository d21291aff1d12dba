import MagicEngine
import MagicGraph
import MagicSchema
import MagicStore

/// Edits of the relationship of other objects, from the object that they refer to. No object is
/// loaded.
extension AsyncReverseMagicSet {
  /// Makes an object refer to this one: its array or set gets this object as a member, its to-one
  /// refers to this object.
  ///
  /// ```swift
  /// try song.playlists.insert(playlist)
  /// try await magic.update(song)  // also saves the playlist
  /// ```
  ///
  /// The edit waits in memory, for all copies of this object. The next save of this object changes
  /// the relationship of the other object and saves that object too. It throws `.missingValue` if
  /// the query of the other object excludes the relationship, unless that is a to-one. `revert()` of
  /// this object discards the edit, and so does `refresh(_:)` of the database. After a failed save,
  /// the other object may have the change in memory already, as a change of its own, and the next
  /// save writes it. The objects of the set are read from the database, so they include the object
  /// after the save. An array that contains this object already gets it a second time.
  ///
  /// - Throws: `MagicError`: `.invalidSchema` if the relationship is a dictionary, which needs a
  ///   key, and `.notSaved` if this set is empty because it was created without an object.
  public func insert(_ object: Element) throws {
    try edit(object) { relationship, _ in
      { try relationship.insert($0, into: $1) }
    }
  }

  /// Makes an object no longer refer to this one: this object is removed from its set, or from all
  /// positions of its array. A to-one that refers to this object is set to nil.
  ///
  /// The edit is saved like that of `insert(_:)`, but a to-one must not be excluded either.
  ///
  /// - Throws: `MagicError`, as `insert(_:)`, and `.missingValue` if the relationship is a to-one
  ///   that cannot be nil.
  public func remove(_ object: Element) throws {
    try edit(object) { relationship, owner in
      if let toOne = relationship as? ToOneColumn, !toOne.isNullable {
        throw MagicError(
          .missingValue,
          "The relationship cannot be nil. Set it to another object instead. Nothing was changed.",
          type: owner.typeName, property: toOne.property)
      }
      return { try relationship.remove($0, from: $1) }
    }
  }

  /// Returns whether an object refers to this one in the database. No object is loaded. Edits that
  /// are not saved are ignored.
  ///
  /// - Throws: `MagicError`, with `.closed` if the database of the object is closed, and
  ///   `CancellationError`.
  /// - Complexity: O(log n): one lookup in an index.
  public func contains(_ object: Element) async throws -> Bool {
    guard let target, let relationship, let identity = object.rowIdentity,
      identity.store == target.store
    else { return false }
    try Task.checkCancellation()
    let (owner, property) = try relationship.resolved()
    return try await OpenDatabases.shared.database(of: target).reading {
      try $0.refers(identity.zIndex, to: target.zIndex, along: property, owner)
    }
  }

  /// Adds an edit that waits for the save of the object that has this set.
  ///
  /// - Parameter change: returns the change of the relationship of `object`.
  private func edit(
    _ object: Element,
    _ change: (any EditableRelationship, ObjectSchema) throws ->
      @Sendable (ObjectReference, PropertyReference) throws -> Void
  ) throws {
    guard let relationship, let box = reference?.reverseBoxForChange(relationship) else {
      throw MagicError(
        .notSaved, "The set is of no object. Insert into the inverse relationship of an object.",
        type: try ObjectSchema.of(Element.self).typeName)
    }
    let (owner, property) = try relationship.resolved()
    if let collection = property as? CollectionColumn, collection.kind == .dictionary {
      throw MagicError(
        .invalidSchema,
        "The inverse of a dictionary cannot be edited, because a member needs a key. Set the value "
          + "of a key in the dictionary.", type: owner.typeName, property: property.property)
    }
    guard let editable = property as? any EditableRelationship,
      let slot = owner.slot(of: property)
    else { return }
    let change = try change(editable, owner)
    box.add(
      InverseEdit(of: RetainedObject(object, schema: owner)) { object, owner in
        try change(object, owner.property(slot))
      })
  }
}

extension ObjectSchema {
  /// Returns the index of a relationship: columns, then collections.
  fileprivate func slot(of property: PropertySchema) -> Int? {
    columns.firstIndex { $0 === property }
      ?? collections.firstIndex { $0 === property }.map { columns.count + $0 }
  }
}

extension EngineReader {
  /// Returns whether a row refers to another one through a relationship.
  fileprivate func refers(
    _ row: ZIndex, to target: ZIndex, along property: PropertySchema, _ owner: ObjectSchema
  ) throws -> Bool {
    if let collection = owner.collections.firstIndex(where: { $0 === property }) {
      return try hasMember(target.rawValue, of: row.rawValue, in: collection, of: owner)
    }
    guard let column = owner.columns.firstIndex(where: { $0 === property }) else { return false }
    defer { parameters.removeAll() }
    guard let field = try storedField(column, ofRow: row.rawValue, of: owner) else { return false }
    return field.kind == .integer && field.integer == target.rawValue
  }
}
