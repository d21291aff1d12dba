import MagicSchema

extension GraphSaver {
  /// - Throws: `MagicError` with `.missingValue` where a to-one is a lazy one whose value is neither
  ///   in memory nor a row of this database.
  func requireValue(of link: CapturedLink, _ toOne: ToOneColumn, _ schema: ObjectSchema) throws {
    switch link.target {
    case .lost: throw MagicError.notInMemory(toOne, schema)
    case .kept(let kept) where kept.store != store:
      throw MagicError.notInMemory(toOne, schema)
    case .none, .object, .row, .kept: return
    }
  }

  /// Whether the members of a lazy collection are to be saved.
  ///
  /// - Throws: as ``requireValue(of:_:_:)`` does.
  func takesMembers(_ captured: inout CapturedCollection, _ lazy: LazyCapture) throws -> Bool {
    objects.log.note(lazy.undo)
    switch captured.members.members {
    case .lost: throw MagicError.notInMemory(captured.column, captured.owner)
    case .kept:
      guard captured.state == .saved else {
        throw MagicError.notInMemory(captured.column, captured.owner)
      }
      return false
    case .unset: return captured.state != .saved
    case .objects, .fetched:
      objects.settle(lazy)
      // What the database has is not in memory.
      if captured.state == .saved { captured.state = .taken }
      return true
    }
  }
}

extension MagicError {
  /// A property is to be saved that was never set.
  static func withoutValue(_ property: PropertySchema, _ schema: ObjectSchema) -> MagicError {
    MagicError(
      .missingValue, "The property has no value. Nothing was written.", type: schema.typeName,
      property: property.property)
  }

  /// A lazy property is to be saved whose value is not known.
  static func notInMemory(_ property: PropertySchema, _ schema: ObjectSchema) -> MagicError {
    MagicError(
      .missingValue,
      "The property's value is not in memory, and no row here has it: get() and set() it first. "
        + "Nothing was written.", type: schema.typeName, property: property.property)
  }
}
