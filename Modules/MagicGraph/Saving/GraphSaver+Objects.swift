import MagicEngine
import MagicRuntime
import MagicSchema

extension GraphSaver {
  /// Returns whether a member was deleted and is not saved explicitly.
  func isDeleted(_ object: ObjectReference) -> Bool {
    if !deleted.isEmpty, deleted.contains(object.instanceKey) { return true }
    guard let record = object.existingRecord else { return false }
    let isRemoved = record.pending(in: store) == .removed(store)
    guard record.removedFrom == store || isRemoved else { return false }
    return object.identity(inTransactionOf: store)?.store != store || isRemoved
  }

  /// - Parameter place: the place of a member in the owned list of a new owner.
  func visit(
    _ object: ObjectReference, holder: RetainedObjects?, isRoot: Bool, place: OwnedPlace? = nil
  ) throws {
    let schema = object.schema
    let isWanted = isRoot || (!explicit.isEmpty && explicit.contains(object.instanceKey))
    if !isWanted, isDeleted(object) { return }
    if try schema.reach.hasRelationships || (isWanted && !explicit.isEmpty) {
      guard visited.insert(object.instanceKey) else { return }
      retain(holder)
    }

    if let ownChanges = objects.ownChanges { try ownChanges.refuse(object) }
    try objects.prepareTable(of: schema)
    guard !schema.toOnes.isEmpty else {
      return try write(
        Frame(object: object, holder: holder, toOnes: [], isRoot: isWanted, place: place))
    }
    let logsBoxes = object.hasHistory
    let isMerged = objects.merges(object, isRoot: isWanted) && !hasRow(object)
    let merged = isMerged ? try objects.rowToMerge(object) : nil
    let toOnes = try schema.toOnes.map { toOne in
      if isMerged, merged != nil || toOne.schema.isLazy, !object.isAssigned(toOne.column) {
        return CapturedLink(.none, saved: nil, isChanged: false)
      }
      return try captureLink(toOne.schema, toOne.column, of: object, isLogged: logsBoxes)
    }
    frames.append(
      Frame(
        object: object, holder: holder, toOnes: toOnes, isRoot: isWanted, place: place,
        merged: merged))
  }

  /// Captures the target of a to-one.
  ///
  /// - Parameter isLogged: ``ObjectReference/hasHistory`` of the object.
  func captureLink(
    _ toOne: ToOneColumn, _ column: Int, of object: ObjectReference, isLogged: Bool
  ) throws -> CapturedLink {
    let link = try toOne.capture(object.property(column)) {
      objects.log.clear($0, isLogged: isLogged)
    }
    objects.log.note(link.lazy?.undo)
    // A fetched row whose object may have changed or may have another row now is visited as an
    // object.
    guard case .row(let row) = link.target, !isUnchanged(row) else { return link }
    return link.resolved(to: row.chunk.schema.makeRetainedObject(from: row))
  }

  /// Writes the visited objects. The targets of to-one relationships are written before the objects
  /// that refer to them.
  func writeFrames() throws {
    while let top = frames.indices.last {
      guard frames[top].next < frames[top].toOnes.count else {
        try write(frames.removeLast())
        continue
      }
      let link = frames[top].toOnes[frames[top].next]
      frames[top].next += 1
      switch link.target {
      case .none, .kept, .lost: break
      case .object(let target): try visit(target[0], holder: target, isRoot: false)
      case .row(let row): queue.append(.row(row))
      }
    }
  }

  private func write(_ frame: Frame) throws {
    let object = frame.object
    let schema = object.schema
    guard !schema.toOnes.isEmpty || !schema.collections.isEmpty else {
      try objects.capture(
        object, holder: frame.holder, isRoot: frame.isRoot, place: frame.place)
      if !schema.reverses.isEmpty {
        try applyInverseEdits(of: object, isRoot: frame.isRoot)
      }
      return
    }
    // The rows that this row refers to may get other IDs, or may not exist.
    if objects.hasUnconfirmedRows { try objects.flush() }
    var targets = try self.targets(of: frame)
    let matched = try matchedRow(of: frame, &targets)
    let logsBoxes = object.hasHistory
    guard let written = try captureRow(frame, targets, matched) else { return }

    for (index, link) in frame.toOnes.enumerated()
    where !objects.keepsStored(schema.toOnes[index].schema, of: object) {
      let target = targets[schema.toOnes[index].column]
      recordWritten(link, at: index, of: frame, written, target: target)
    }
    defer { owner = nil }
    for index in schema.collections.indices
    where !objects.keepsStored(schema.collections[index], of: object) {
      if objects.lookAhead != nil { owner = (object, index + 1) }
      let property = object.property(schema.columns.count + index)
      let members = try schema.collections[index].capture(property) {
        objects.log.clear($0, isLogged: logsBoxes)
      }
      try visitMembers(
        CapturedCollection(
          owner: schema, collection: index, ownerID: written.rowID, property: property,
          members: members, state: written.state))
    }
    if !schema.reverses.isEmpty { try applyInverseEdits(of: object, isRoot: frame.isRoot) }
  }

  /// Returns the row IDs that an object's to-one relationships refer to, by column.
  private func targets(of frame: Frame) throws -> [Int64?] {
    let schema = frame.object.schema
    guard !frame.toOnes.isEmpty else { return [] }
    var targets = [Int64?](repeating: nil, count: schema.columns.count)
    for (index, link) in frame.toOnes.enumerated() {
      let (column, toOne) = schema.toOnes[index]
      if link.lazy != nil { try requireValue(of: link, toOne, schema) }
      switch target(of: link) {
      case .none:
        if case .object(let target) = link.target {
          guard toOne.isNullable else { throw missing(toOne, schema) }
          clear(toOne, of: frame.object.property(column), target[0])
        }
        if case .kept = link.target { throw MagicError.notInMemory(toOne, schema) }
      case .row(let rowID): targets[column] = rowID
      case .unsaved(let target): targets[column] = try reservedRow(for: target).rowID
      }
    }
    return targets
  }

  /// The row of an owner.
  private struct WrittenRow {
    let rowID: Int64
    let state: CapturedCollection.State
  }

  /// Captures the row of an object with relationships.
  ///
  /// - Returns: nil if the row was deleted.
  private func captureRow(
    _ frame: Frame, _ targets: [Int64?], _ matched: Int64?
  ) throws -> WrittenRow? {
    let object = frame.object
    if let identity = object.identity(inTransactionOf: store), identity.store == store {
      if frame.isRoot { try objects.requireUnsaved(object) }
      let zIndex = identity.zIndex
      var changed = try objects.changes(of: object)
      for (index, link) in frame.toOnes.enumerated() {
        let column = object.schema.toOnes[index].column
        if link.isChanged || link.saved != targets[column] { changed.insert(column) }
      }
      let changesMembers = changed.isEmpty && hasChangedCollections(object)
      if !changed.isEmpty || (changesMembers && object.schema.version != nil) {
        try objects.captureUpdate(
          object, zIndex, changed, targets: targets, holder: frame.holder, isRoot: false)
      } else if changesMembers || (frame.isRoot && objects.rules.missing == .insert) {
        try objects.captureRequirement(object, zIndex, holder: frame.holder)
      }
      if objects.hasUnconfirmedRows { try objects.flush() }
      guard deleted.contains(object.instanceKey) else {
        return WrittenRow(rowID: zIndex.rawValue, state: .saved)
      }
      guard frame.isRoot else { return nil }
      try objects.requireInsertion(of: object, zIndex)
      deleted.remove(object.instanceKey)
    }
    return try captureNewRow(frame, targets, matched)
  }

  private func hasRow(_ object: ObjectReference) -> Bool {
    object.identity(inTransactionOf: store)?.store == store
  }

  /// Returns the row that a new object updates, because it has the same values in unique properties,
  /// or the same key.
  ///
  /// - Parameter targets: the row IDs that the to-one relationships refer to. Those that refer to
  ///   the object itself are changed to its row.
  private func matchedRow(of frame: Frame, _ targets: inout [Int64?]) throws -> Int64? {
    let object = frame.object
    guard !hasRow(object),
      let row = try frame.merged
        ?? objects.rowToUpdate(of: object, isRoot: frame.isRoot, targets: targets)
    else { return nil }
    for (index, link) in frame.toOnes.enumerated() {
      guard case .object(let target) = link.target, target[0].instanceKey == object.instanceKey
      else { continue }
      targets[object.schema.toOnes[index].column] = row
    }
    return row
  }

  private func captureNewRow(
    _ frame: Frame, _ targets: [Int64?], _ matched: Int64?
  ) throws -> WrittenRow {
    let object = frame.object
    let reserved = reservedRows.isEmpty ? nil : reservedRows.removeValue(forKey: object.instanceKey)
    if let stored = try matched ?? storedRow(of: frame, reserved) {
      let zIndex = ZIndex(rawValue: stored)
      try objects.captureExisting(
        object, zIndex, targets: targets, holder: frame.holder,
        isMerged: objects.merges(object, isRoot: frame.isRoot))
      if objects.hasUnconfirmedRows { try objects.flush() }
      return WrittenRow(rowID: stored, state: .matched)
    }
    let assumed = try objects.captureNew(
      object, targets: targets, reserved: reserved?.rowID, holder: frame.holder,
      isRoot: frame.isRoot, place: frame.place)
    guard objects.hasUnconfirmedRows else {
      return WrittenRow(rowID: assumed.rawValue, state: .new)
    }
    try objects.flush()
    let zIndex = object.identity(inTransactionOf: store)?.zIndex ?? assumed
    return WrittenRow(rowID: zIndex.rawValue, state: zIndex == assumed ? .new : .matched)
  }

  /// Returns the row that has a new object's primary value, where it must be known before the
  /// object is captured.
  private func storedRow(of frame: Frame, _ reserved: ReservedRow?) throws -> Int64? {
    // The insertion of a new row throws if a row has the primary value.
    if objects.rules.requiresInsertion(of: frame.object, isRoot: frame.isRoot) { return nil }
    if let reserved, reserved.isStored { return reserved.rowID }
    if let rows = try objects.lookedUpRows(of: frame.object) { return rows.primary }
    // The new row would have the same row ID as the stored one, so the outcome of an upsert is
    // the same.
    return frame.object.schema.hasRowIDPrimary ? try objects.storedRow(of: frame.object) : nil
  }

  /// Returns whether join rows will be written, which require the owner's row.
  private func hasChangedCollections(_ object: ObjectReference) -> Bool {
    let schema = object.schema
    return schema.collections.indices.contains { index in
      schema.collections[index].isChanged(object.property(schema.columns.count + index))
    }
  }

  /// Records what was written for a to-one relationship.
  private func recordWritten(
    _ link: CapturedLink, at index: Int, of frame: Frame, _ written: WrittenRow, target: Int64?
  ) {
    let (column, toOne) = frame.object.schema.toOnes[index]
    let property = frame.object.property(column)
    objects.log.note(toOne.recordSaved(target, of: store, in: property))
    if let lazy = link.lazy { objects.releaseOnCommit(lazy) }
    if toOne.staysInGraph, link.isChanged {
      objects.log.onCommit { toOne.releaseRetainCycle(property) }
    }
    guard let target,
      link.isChanged || link.saved != target || written.state != .saved
    else { return }
    var unsavedTarget: RetainedObjects?
    if !reservedRows.isEmpty, case .object(let object) = link.target,
      reservedRows[object[0].instanceKey] != nil
    {
      unsavedTarget = object
    }
    references.append(
      WrittenReference(
        owner: frame.object, holder: frame.holder, ownerID: written.rowID, toOne: index,
        target: target, unsavedTarget: unsavedTarget))
  }

  /// Sets a to-one relationship to nil, in memory too, because its object was deleted.
  func clear(_ toOne: ToOneColumn, of property: PropertyReference, _ target: ObjectReference) {
    let key = target.instanceKey
    objects.log.onCommit { toOne.clear(property) { $0.instanceKey == key } }
  }

  func missing(_ property: PropertySchema, _ schema: ObjectSchema) -> MagicError {
    MagicError(
      .missingValue,
      "The property refers to a removed object. Save that object first, or set another one.",
      type: schema.typeName, property: property.property)
  }
}
