import MagicSchema

extension GraphSaver {
  /// Checks that the value of a to-one relationship is known.
  ///
  /// - Throws: `MagicError` with `.missingValue` if the relationship is lazy, and its value is
  ///   neither in memory nor a row of this database.
  func requireValue(of link: CapturedLink, _ toOne: ToOneColumn, _ schema: ObjectSchema) throws {
    switch link.target {
    case .lost: throw MagicError.notInMemory(toOne, schema)
    case .kept(let kept) where kept.store != store:
      throw MagicError.notInMemory(toOne, schema)
    case .none, .object, .row, .kept: return
    }
  }

  /// Returns whether the members of a lazy collection must be saved.
  ///
  /// - Throws: as ``requireValue(of:_:_:)``.
  func mustSaveMembers(_ captured: CapturedCollection, _ lazy: LazyCapture) throws -> Bool {
    objects.log.note(lazy.undo)
    switch captured.members.members {
    case .lost: throw MagicError.notInMemory(captured.column, captured.owner)
    case .kept:
      guard captured.state == .saved else {
        throw MagicError.notInMemory(captured.column, captured.owner)
      }
      return false
    case .unset: return captured.state != .saved
    case .edited:
      // The row of a new owner does not have the members that were edited.
      guard captured.state == .saved else {
        throw MagicError.notInMemory(captured.column, captured.owner)
      }
      objects.releaseOnCommit(lazy)
      return true
    case .objects, .fetched:
      objects.releaseOnCommit(lazy)
      // The stored members are not in memory, so they must be read.
      if captured.state == .saved { captured.state = .matched }
      return true
    }
  }
}

extension MagicError {
  /// The error for saving a property that was never set.
  static func withoutValue(_ property: PropertySchema, _ schema: ObjectSchema) -> MagicError {
    MagicError(
      .missingValue, "The property has no value. Set it first. Nothing was written.",
      type: schema.typeName, property: property.property)
  }

  /// The error for saving a property whose value is not known, because it is lazy or was not loaded.
  static func notInMemory(_ property: PropertySchema, _ schema: ObjectSchema) -> MagicError {
    MagicError(
      .missingValue,
      property.isLazy
        ? "The lazy value is neither in memory nor in this database. Call get() and set() first. "
          + "Nothing was written."
        : "The query of the object excludes the relationship, and a new row needs its value. Set it "
          + "first. Nothing was written.", type: schema.typeName, property: property.property)
  }
}
