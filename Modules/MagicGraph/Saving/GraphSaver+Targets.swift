import MagicEngine
import MagicSchema

extension GraphSaver {
  /// The value that is written for a to-one relationship.
  enum LinkTarget {
    case none
    case row(Int64)
    /// An object without a row.
    case unsaved(RetainedObjects)
  }

  func target(of link: CapturedLink) -> LinkTarget {
    switch link.target {
    case .none, .lost: return .none
    case .kept(let kept): return kept.store == store ? .row(kept.zIndex) : .none
    case .row(let row):
      if isUnchanged(row) { return .row(row.zIndex) }
      let held = row.chunk.schema.makeRetainedObject(from: row)
      return withExtendedLifetime(held) { target(of: held) }
    case .object(let held): return target(of: held)
    }
  }

  private func target(of held: RetainedObjects) -> LinkTarget {
    let object = held[0]
    if !explicit.contains(object.instanceKey), isDeleted(object) { return .none }
    guard let identity = object.identity(inTransactionOf: store), identity.store == store else {
      return .unsaved(held)
    }
    return .row(identity.zIndex.rawValue)
  }

  /// Reserves the row ID of an object that is captured later.
  func reservedRow(for held: RetainedObjects) throws -> ReservedRow {
    let object = held[0]
    if let known = reservedRows[object.instanceKey] { return known }
    try objects.prepareTable(of: object.schema)
    let reserved: ReservedRow
    if let rowID = try objects.storedRow(of: object) {
      reserved = ReservedRow(object: held, rowID: rowID, isStored: true)
    } else {
      let chosen = objects.chosenRowID(of: object)
      if let chosen { chosenRowIDs[object.schema.ordinal, default: []].insert(chosen) }
      let rowID = try chosen ?? objects.reserve(object.schema, isAhead: true)
      reserved = ReservedRow(object: held, rowID: rowID, isStored: false)
    }
    reservedRows[object.instanceKey] = reserved
    return reserved
  }

  /// Captures the objects with reserved row IDs that were not captured yet.
  func captureReservedRows() throws {
    while let (key, reserved) = reservedRows.first {
      try visit(reserved.object[0], holder: reserved.object, isRoot: false)
      try drainQueue()
      // `visit` removes the entry, except if another task has deleted the object meanwhile.
      reservedRows[key] = nil
    }
  }

  /// Corrects the references to objects that got another row than the reserved one, or no row.
  func correctReservedReferences() throws {
    for reference in references {
      guard let unsavedTarget = reference.unsavedTarget else { continue }
      let actual = row(of: unsavedTarget[0])
      if actual != reference.target { try correct(reference, to: actual) }
    }
    try objects.flush()
  }

  /// Changes a written reference to another row, or to none.
  func correct(_ reference: WrittenReference, to target: Int64?) throws {
    let schema = reference.owner.schema
    let (column, toOne) = schema.toOnes[reference.toOne]
    if target == nil {
      guard toOne.isNullable else { throw missing(toOne, schema) }
      let (store, old) = (store, reference.target)
      let property = reference.owner.property(column)
      objects.log.onCommit {
        toOne.clear(property) { object in
          object.identity == nil
            || object.identity == RowIdentity(store: store, zIndex: ZIndex(rawValue: old))
        }
      }
    }
    try objects.captureReference(
      reference.owner, reference.ownerID, column, to: target, holder: reference.holder)
    objects.log.note(
      toOne.recordSaved(target, of: store, in: reference.owner.property(column)))
  }

  /// Returns the row ID of an object; nil if it was deleted or has no row in this database.
  func row(of object: ObjectReference) -> Int64? {
    if isDeleted(object) { return nil }
    guard let identity = object.identity(inTransactionOf: store), identity.store == store else {
      return nil
    }
    return identity.zIndex.rawValue
  }
}
