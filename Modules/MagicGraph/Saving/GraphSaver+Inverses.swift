import MagicEngine
package import MagicSchema

/// Edits of inverse relationships, which are saved with the object that has the inverse
/// relationship.
extension GraphSaver {
  /// Makes the edits of an object's inverse relationships in memory. The owners of the edited
  /// relationships are saved later.
  ///
  /// - Parameter isRoot: whether the caller saves the object explicitly.
  /// - Throws: `MagicError`: `.notFound` if the row of such an object does not exist, `.missingValue`
  ///   if an owner was fetched without the relationship.
  func applyInverseEdits(of object: ObjectReference, isRoot: Bool) throws {
    guard object.hasInverseEdits, try hasStoredRow(object, isRoot: isRoot) else { return }
    for index in object.schema.reverses.indices {
      guard let box = object.reverseBox(index) else { continue }
      // The object is visited again as a member of an owner.
      let edits = box.edits.filter { inverseEdits.insert(ObjectIdentifier($0)).inserted }
      for edit in edits {
        try edit.apply(to: object)
        inverseOwners.append(edit.owner)
      }
      guard !edits.isEmpty else { continue }
      // The key of an owner may contain the edited relationship.
      objects.lookAhead?.rows.removeAll()
      objects.log.onCommit { box.remove(edits) }
    }
  }

  /// Returns whether an object that was captured has a row. A row that another instance has deleted
  /// is detected here, because an object without other changes is not written.
  private func hasStoredRow(_ object: ObjectReference, isRoot: Bool) throws -> Bool {
    try objects.flush()
    guard let identity = object.identity(inTransactionOf: store), identity.store == store else {
      return false
    }
    if try engine.hasRow(identity.zIndex.rawValue, of: object.schema) { return true }
    if isRoot { try objects.requireInsertion(of: object, identity.zIndex) }
    return false
  }

  /// Saves the owners of relationships that were edited through their inverse. All other objects
  /// have rows already.
  func saveInverseOwners() throws {
    while let owner = inverseOwners.popLast() {
      try cancellation.count()
      // An owner that was visited before has the edit now. Its collections are compared again with
      // what was written for them.
      if visited.contains(owner[0].instanceKey) {
        try writeCollections()
        visited.remove(owner[0].instanceKey)
      }
      try visit(owner[0], holder: owner, isRoot: false)
      try drainQueue()
      try captureReservedRows()
    }
  }
}

extension ObjectSchema {
  /// Whether saving an object can save other objects too.
  package func savesOthers<Model: MagicObject>(with object: Model) throws -> Bool {
    if try reach.hasRelationships { return true }
    return !reverses.isEmpty && withReference(to: object) { $0.hasInverseEdits }
  }
}
