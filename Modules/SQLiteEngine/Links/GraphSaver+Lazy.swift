import MagicSchema

extension GraphSaver {
  /// - Throws: `MagicError` with `.missingValue` where a to-one is a lazy one whose value is neither
  ///   in memory nor a row of this database.
  func requireValue(of link: CapturedLink, _ toOne: ToOneColumn, _ schema: ObjectSchema) throws {
    switch link.target {
    case .lost: throw MagicError.notInMemory(toOne, schema)
    case .kept(let kept) where kept.store != store.token:
      throw MagicError.notInMemory(toOne, schema)
    case .none, .object, .row, .kept: return
    }
  }

  /// Whether the members of a lazy collection are to be saved.
  ///
  /// - Throws: as ``requireValue(of:_:_:)`` does.
  func takesMembers(
    _ job: inout LinkJob, _ lazy: LazyCapture, _ column: CollectionColumn
  ) throws -> Bool {
    transaction.log.note(lazy.taking)
    switch job.members.members {
    case .lost: throw MagicError.notInMemory(column, job.owner)
    case .kept:
      guard job.state == .saved else { throw MagicError.notInMemory(column, job.owner) }
      return false
    case .unset: return job.state != .saved
    case .objects, .fetched:
      settle(lazy)
      // What the database has is not in memory.
      if job.state == .saved { job.state = .taken }
      return true
    }
  }

  /// Lets go of what is in memory once the transaction commits.
  func settle(_ lazy: LazyCapture) {
    let store = store
    transaction.log.drop { lazy.settle(store.makeLease()) }
  }
}

extension MagicError {
  /// A lazy property is to be saved whose value nobody has.
  static func notInMemory(_ property: PropertySchema, _ schema: ObjectSchema) -> MagicError {
    MagicError(
      .missingValue,
      "The property's value is not in memory, and no row here has it: get() and set() it first. "
        + "Nothing was written.", type: schema.typeName, property: property.property)
  }
}
