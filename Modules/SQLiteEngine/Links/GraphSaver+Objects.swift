import MagicRuntime
import MagicSQLite
import MagicSchema
import SQLiteTables

extension GraphSaver {
  /// Whether a member is no row any more, and is not saved for its own sake.
  func isGone(_ object: ObjectReference) -> Bool {
    if !gone.isEmpty, gone.contains(object.instanceKey) { return true }
    guard let record = object.existingRecord else { return false }
    guard record.removedFrom == store.token || transaction.log.removes(record) else {
      return false
    }
    return object.identity(inTransactionOf: store.token)?.store != store.token
      || transaction.log.removes(record)
  }

  func visit(_ object: ObjectReference, holder: RetainedObjects?, isRoot: Bool) throws {
    let schema = object.schema
    let isWanted = isRoot || (!wanted.isEmpty && wanted.contains(object.instanceKey))
    if !isWanted, isGone(object) { return }
    if try schema.reach.hasRelationships {
      guard visited.insert(object.instanceKey).inserted else { return }
      keep(holder)
    }

    if let ownChanges = transaction.ownChanges { try ownChanges.refuse(object) }
    let statements = try transaction.statements(of: schema)
    guard !schema.toOnes.isEmpty else {
      return try write(
        Frame(
          object: object, holder: holder, statements: statements, toOnes: [], isRoot: isWanted))
    }
    let logsCells = object.hasHistory
    let toOnes = try schema.toOnes.map { toOne in
      let link = try toOne.schema.capture(object.property(toOne.column)) {
        transaction.log.clear($0, isLogged: logsCells)
      }
      transaction.log.note(link.lazy?.taking)
      // What is no row of this database, or may be another one than was fetched, comes first as
      // every object does.
      guard case .row(let row) = link.target, !isUntouched(row) else { return link }
      return link.leading(to: row.chunk.schema.hold(row))
    }
    frames.append(
      Frame(
        object: object, holder: holder, statements: statements, toOnes: toOnes, isRoot: isWanted))
  }

  /// Writes the objects that are visited, targets before those that refer to them.
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
      case .row(let row): waiting.append(.row(row))
      }
    }
  }

  func write(_ frame: Frame) throws {
    // An error names the type it is about, not the one whose save was asked for.
    try mapping(frame.object.schema) { try writeFrame(frame) }
  }

  func writeFrame(_ frame: Frame) throws {
    let object = frame.object
    let schema = object.schema
    guard !schema.toOnes.isEmpty || !schema.collections.isEmpty else {
      return try writeLeaf(frame)
    }
    var targets = [Int64?](repeating: nil, count: schema.toOnes.isEmpty ? 0 : schema.columns.count)
    var open: [Int] = []
    for (index, link) in frame.toOnes.enumerated() {
      let (column, toOne) = schema.toOnes[index]
      if link.lazy != nil { try requireValue(of: link, toOne, schema) }
      switch target(of: link) {
      case .none:
        if case .object(let target) = link.target {
          guard toOne.isNullable else { throw missing(toOne, schema) }
          forget(target, toOne, of: object.property(column))
        }
      case .row(let zIndex): targets[column] = zIndex
      case .open:
        open.append(index)
        // The row is filled in later; until then it leads nowhere, which a commit would refuse.
        targets[column] = toOne.isNullable ? nil : nowhere
        nowhere += 1
      }
    }
    let logsCells = object.hasHistory
    guard let (zIndex, isNew, wasThere) = try writeRow(frame, targets) else { return }

    for (index, link) in frame.toOnes.enumerated() {
      let (column, toOne) = schema.toOnes[index]
      let property = object.property(column)
      transaction.log.note(toOne.noteSaved(targets[column], of: store.token, in: property))
      if let lazy = link.lazy { settle(lazy) }
      if toOne.staysInGraph, link.isChanged {
        transaction.log.drop { toOne.releaseRetainCycle(property) }
      }
      if open.contains(index), case .object(let target) = link.target {
        openEnds.append(
          OpenEnd(
            owner: object, holder: frame.holder, zIndex: zIndex, toOne: index, target: target))
      } else if let target = targets[column],
        link.isChanged || link.saved != target || isNew || wasThere
      {
        trust(
          TrustedLink(
            owner: schema, zIndex: zIndex, property: property, place: .toOne(index),
            target: target))
      }
    }
    for index in schema.collections.indices {
      let property = object.property(schema.columns.count + index)
      let members = try schema.collections[index].capture(property) {
        transaction.log.clear($0, isLogged: logsCells)
      }
      try follow(
        LinkJob(
          owner: schema, collection: index, zIndex: zIndex, property: property, members: members,
          state: isNew ? .new : wasThere ? .taken : .saved))
    }
  }

  /// Goes on to the members of a collection, whose links are written when they have their rows.
  func follow(_ job: LinkJob) throws {
    let column = job.owner.collections[job.collection]
    var job = job
    if let lazy = job.members.lazy, try !takesMembers(&job, lazy, column) { return }
    let isLeaf = try !column.target.reach.hasRelationships
    switch job.members.members {
    case .unset:
      throw MagicError(
        .missingValue, "The property has no value. Nothing was written.",
        type: job.owner.typeName, property: column.property)
    case .objects(let objects, _):
      if isLeaf {
        for index in 0..<objects.count {
          try countLink()
          try visit(objects[index], holder: objects, isRoot: false)
        }
      } else if objects.count > 0 {
        waiting.append(.objects(objects, 0))
      }
    case .fetched(let slice):
      if isLeaf {
        for row in slice.rows {
          try countLink()
          try visit(row)
        }
      } else if slice.count > 0 {
        waiting.append(.rows(slice, 0))
      }
    case .kept, .lost: return
    }
    links.append(job)
  }

  /// A to-one that led to an object which is gone becomes nil in memory too.
  func forget(_ target: RetainedObjects, _ toOne: ToOneColumn, of property: PropertyReference) {
    let key = target[0].instanceKey
    transaction.log.drop { toOne.clear(property) { $0.instanceKey == key } }
  }

  func writeLeaf(_ frame: Frame) throws {
    do {
      _ = try transaction.save(frame.object, frame.statements, revives: frame.isRoot)
    } catch let error as MagicError where error.code == .notFound && !frame.isRoot {
      noteRemoved(frame.object, frame.holder)
    }
  }

  /// - Returns: nil where the row is gone, and with it the object.
  func writeRow(
    _ frame: Frame, _ targets: [Int64?]
  ) throws -> (zIndex: Int64, isNew: Bool, wasThere: Bool)? {
    let object = frame.object
    if let identity = object.identity(inTransactionOf: store.token),
      identity.store == store.token
    {
      let zIndex = identity.zIndex.rawValue
      var changed = transaction.changes(of: object)
      for (index, link) in frame.toOnes.enumerated() {
        let column = object.schema.toOnes[index].column
        if link.isChanged || link.saved != targets[column] { changed.insert(column) }
      }
      let isThere =
        try changed.isEmpty
        ? !hasChangedCollections(object) || transaction.hasRow(zIndex, frame.statements)
        : transaction.update(zIndex, to: object, changed, frame.statements, links: targets)
      if isThere { return (zIndex, false, false) }
      guard frame.isRoot else {
        noteRemoved(object, frame.holder)
        return nil
      }
      guard object.schema.primary != nil else {
        throw transaction.rowGone(identity.zIndex, object.schema)
      }
    }
    let (zIndex, wasThere) = try transaction.insert(object, frame.statements, links: targets)
    return (zIndex.rawValue, !wasThere, wasThere)
  }

  /// Whether links will be written, which need the owner's row.
  private func hasChangedCollections(_ object: ObjectReference) -> Bool {
    let schema = object.schema
    return schema.collections.indices.contains { index in
      schema.collections[index].isChanged(object.property(schema.columns.count + index))
    }
  }

  func keep(_ holder: RetainedObjects?) {
    if let holder, holders.last !== holder { holders.append(holder) }
  }

  /// A member whose row is gone is no object of the database any more.
  func noteRemoved(_ object: ObjectReference, _ holder: RetainedObjects?) {
    gone.insert(object.instanceKey)
    keep(holder)
    transaction.log.remove(object.record)
  }

  enum LinkTarget {
    case none
    case row(Int64)
    case open
  }

  func target(of link: CapturedLink) -> LinkTarget {
    switch link.target {
    case .none, .lost: return .none
    case .kept(let kept): return kept.store == store.token ? .row(kept.zIndex) : .none
    case .row(let row):
      if isUntouched(row) { return .row(row.zIndex) }
      let held = row.chunk.schema.hold(row)
      return withExtendedLifetime(held) { target(of: held[0]) }
    case .object(let held): return target(of: held[0])
    }
  }

  func target(of object: ObjectReference) -> LinkTarget {
    if !wanted.contains(object.instanceKey), isGone(object) { return .none }
    guard let identity = object.identity(inTransactionOf: store.token),
      identity.store == store.token
    else { return .open }
    return .row(identity.zIndex.rawValue)
  }

  /// Fills in the to-ones that led to objects without a row.
  func closeEnds(_ cancellation: inout CancellationCheck) throws {
    while let end = openEnds.popLast() {
      let (column, toOne) = end.owner.schema.toOnes[end.toOne]
      if case .open = target(of: end.target[0]) {
        // Set by another task since the object was looked at.
        try visit(end.target[0], holder: end.target, isRoot: false)
        try writeFrames()
        try drainQueue(&cancellation)
      }
      guard case .row(let zIndex) = target(of: end.target[0]) else {
        guard toOne.isNullable else { throw missing(toOne, end.owner.schema) }
        forget(end.target, toOne, of: end.owner.property(column))
        continue
      }
      var targets = [Int64?](repeating: nil, count: end.owner.schema.columns.count)
      targets[column] = zIndex
      var changed = ColumnSet()
      changed.insert(column)
      let statements = try transaction.statements(of: end.owner.schema)
      _ = try transaction.update(
        end.zIndex, to: end.owner, changed, statements, links: targets)
      transaction.log.note(
        toOne.noteSaved(zIndex, of: store.token, in: end.owner.property(column)))
    }
  }

  /// Looks now and then, while links are written, at whether the task was cancelled.
  func countLink() throws { try linkCancellation.count() }

  /// Takes on trust that a row is there; whether it was is asked at the end.
  func trust(_ link: TrustedLink) { trusted.append(link) }

  func takeTrusted() -> [TrustedLink] {
    defer { trusted.removeAll(keepingCapacity: true) }
    return trusted
  }

  func missing(_ property: PropertySchema, _ schema: ObjectSchema) -> MagicError {
    MagicError(
      .missingValue,
      "What the property leads to was removed. Save it for itself first, or set another.",
      type: schema.typeName, property: property.property)
  }
}
