import MagicRuntime
import MagicSchema
import MagicSQLite

/// Saves objects with all that they lead to, each once, without recursion.
///
/// An object is written after what its to-ones lead to, whose z-indexes its row needs; where they
/// lead back to it, the column is filled in at the end. Members of collections follow their owner,
/// and links are written when everything has its row.
final class GraphSaver {
  let transaction: WriteTransaction
  private var store: StoreConnection { transaction.store }

  /// Objects whose relationships were walked, by their instance.
  @exclusivity(unchecked) private var visited: Set<UInt> = []
  /// Objects that are saved for their own sake, even if they were removed before.
  @exclusivity(unchecked) private var wanted: Set<UInt> = []
  /// Members whose row is gone.
  @exclusivity(unchecked) private var gone: Set<UInt> = []
  @exclusivity(unchecked) private var frames: [Frame] = []
  @exclusivity(unchecked) private var waiting: [Waiting] = []
  @exclusivity(unchecked) private var links: [LinkJob] = []
  @exclusivity(unchecked) private var openEnds: [OpenEnd] = []
  /// What a required to-one holds as long as its end is open: no row, and another each time, for
  /// the column may be unique.
  private var nowhere = Int64.min
  /// Links that were written to rows nobody looked at.
  @exclusivity(unchecked) private(set) var trusted: [TrustedLink] = []
  private var linkCancellation = CancellationCheck()

  /// An object that is being saved.
  private struct Frame {
    let object: ObjectReference
    /// Keeps the object where it is; nil where the caller does.
    let holder: HeldObjects?
    let statements: TypeStatements
    let toOnes: [CapturedLink]
    var next = 0
    let isRoot: Bool
  }

  /// What is to be looked at next.
  private enum Waiting {
    /// Objects from a place on.
    case objects(HeldObjects, Int)
    case row(PackedRow)
    /// Rows from a place on.
    case rows(LinkSlice, Int)
  }

  /// A to-one that leads to an object which had no row yet.
  private struct OpenEnd {
    let owner: ObjectReference
    let holder: HeldObjects?
    let zIndex: Int64
    let toOne: Int
    let target: HeldObjects
  }

  init(_ transaction: WriteTransaction) {
    self.transaction = transaction
  }

  /// An object that the caller asks to save, whichever other leads to it first.
  ///
  /// - Parameter isReached: whether an object before it may lead to it. Where its row is gone it is
  ///   not taken for a mere member then.
  func want(_ object: ObjectReference, isReached: Bool) {
    if isReached || isGone(object) { wanted.insert(object.instanceKey) }
  }

  /// Saves an object and all it leads to.
  ///
  /// - Returns: the object's z-index.
  func save(_ object: ObjectReference) throws -> ZIndex {
    try begin(object, holder: nil, isRoot: true)
    try finishFrames()
    var cancellation = CancellationCheck()
    try goOn(&cancellation)
    try closeEnds(&cancellation)
    for job in links { try mapping(job.owner) { try LinkWriter(job, saver: self).write() } }
    links.removeAll(keepingCapacity: true)
    if !trusted.isEmpty { try dropBrokenLinks() }
    guard let identity = object.identity(inTransactionOf: store.token) else {
      throw MagicError(.notSaved, "The object was not saved.", type: object.schema.typeName)
    }
    return identity.zIndex
  }

  /// Works off what waits.
  private func goOn(_ cancellation: inout CancellationCheck) throws {
    while let next = waiting.popLast() {
      try cancellation.count()
      switch next {
      case .objects(let objects, let index):
        if index + 1 < objects.count { waiting.append(.objects(objects, index + 1)) }
        try begin(objects[index], holder: objects, isRoot: false)
        try finishFrames()
      case .row(let row):
        try visit(row)
      case .rows(let slice, let index):
        if index + 1 < slice.count { waiting.append(.rows(slice, index + 1)) }
        try visit(slice.list.rows[slice.start + index])
      }
    }
  }
}

// MARK: Objects

extension GraphSaver {
  /// Whether a member is no row any more, and is not saved for its own sake.
  func isGone(_ object: ObjectReference) -> Bool {
    if gone.contains(object.instanceKey) { return true }
    guard let record = object.existingRecord else { return false }
    guard record.removedFrom == store.token || transaction.log.removes(record) else {
      return false
    }
    return object.identity(inTransactionOf: store.token)?.store != store.token
      || transaction.log.removes(record)
  }

  private func begin(_ object: ObjectReference, holder: HeldObjects?, isRoot: Bool) throws {
    let schema = object.schema
    let isWanted = isRoot || (!wanted.isEmpty && wanted.contains(object.instanceKey))
    if !isWanted, isGone(object) { return }
    if try schema.reach.hasRelationships, !visited.insert(object.instanceKey).inserted { return }

    let statements = try transaction.statements(of: schema)
    guard !schema.toOnes.isEmpty else {
      return try write(
        Frame(
          object: object, holder: holder, statements: statements, toOnes: [], isRoot: isWanted))
    }
    noteWhetherSaved(object)
    let toOnes = try schema.toOnes.map { toOne in
      let link = try toOne.schema.capture(object.property(toOne.column)) {
        transaction.log.clear($0)
      }
      // What is no row of this database, or may be another one than was fetched, comes first as
      // every object does.
      guard case .row(let row) = link.target, !isUntouched(row) else { return link }
      return link.leading(to: row.chunk.schema.hold(row))
    }
    frames.append(
      Frame(
        object: object, holder: holder, statements: statements, toOnes: toOnes, isRoot: isWanted))
  }

  private func noteWhetherSaved(_ object: ObjectReference) {
    transaction.log.logsCells = object.identity(inTransactionOf: store.token) != nil
  }

  /// Writes what is begun, targets before those that lead to them.
  private func finishFrames() throws {
    while let top = frames.indices.last {
      guard frames[top].next < frames[top].toOnes.count else {
        try write(frames.removeLast())
        continue
      }
      let link = frames[top].toOnes[frames[top].next]
      frames[top].next += 1
      switch link.target {
      case .none: break
      case .object(let target): try begin(target[0], holder: target, isRoot: false)
      case .row(let row): waiting.append(.row(row))
      }
    }
  }

  private func write(_ frame: Frame) throws {
    // An error names the type it is about, not the one whose save was asked for.
    try mapping(frame.object.schema) { try writeFrame(frame) }
  }

  private func writeFrame(_ frame: Frame) throws {
    let object = frame.object
    let schema = object.schema
    guard !schema.toOnes.isEmpty || !schema.collections.isEmpty else {
      return try writeLeaf(frame)
    }
    var targets = [Int64?](repeating: nil, count: schema.toOnes.isEmpty ? 0 : schema.columns.count)
    var open: [Int] = []
    for (index, link) in frame.toOnes.enumerated() {
      let (column, toOne) = schema.toOnes[index]
      switch target(of: link) {
      case .none: forget(link, toOne, of: object.property(column))
      case .row(let zIndex): targets[column] = zIndex
      case .open:
        open.append(index)
        // The row is filled in later; until then it leads nowhere, which a commit would refuse.
        targets[column] = toOne.isNullable ? nil : nowhere
        nowhere += 1
      }
    }
    noteWhetherSaved(object)
    guard let (zIndex, isNew, wasThere) = try writeRow(frame, targets) else { return }

    for (index, link) in frame.toOnes.enumerated() {
      let (column, toOne) = schema.toOnes[index]
      let property = object.property(column)
      transaction.log.note(toOne.noteSaved(targets[column], in: property))
      if toOne.staysInGraph, link.isChanged { transaction.log.drop { toOne.loosen(property) } }
      if open.contains(index), case .object(let target) = link.target {
        openEnds.append(
          OpenEnd(
            owner: object, holder: frame.holder, zIndex: zIndex, toOne: index, target: target))
      } else if let target = targets[column],
        link.isChanged || link.saved != target || isNew || wasThere
      {
        trust(
          TrustedLink(
            owner: schema, zIndex: zIndex, property: object.property(column), place: .toOne(index),
            target: target))
      }
    }
    for index in schema.collections.indices {
      let property = object.property(schema.columns.count + index)
      let members = try schema.collections[index].capture(property) { transaction.log.clear($0) }
      try follow(
        LinkJob(
          owner: schema, collection: index, zIndex: zIndex, property: property, members: members,
          state: isNew ? .new : wasThere ? .taken : .saved))
    }
  }

  /// Goes on to the members of a collection, whose links are written when they have their rows.
  private func follow(_ job: LinkJob) throws {
    let column = job.owner.collections[job.collection]
    let isLeaf = try !column.target.reach.hasRelationships
    switch job.members.members {
    case .unset:
      throw MagicError(
        .missingValue, "The property has no value. Nothing was written.",
        type: job.owner.typeName, property: column.property)
    case .objects(let objects, _):
      if isLeaf {
        for index in 0..<objects.count {
          try begin(objects[index], holder: objects, isRoot: false)
        }
      } else if objects.count > 0 {
        waiting.append(.objects(objects, 0))
      }
    case .fetched(let slice):
      if isLeaf {
        for row in slice.rows { try visit(row) }
      } else if slice.count > 0 {
        waiting.append(.rows(slice, 0))
      }
    }
    links.append(job)
  }

  /// A to-one that led to an object which is gone becomes nil in memory too.
  private func forget(_ link: CapturedLink, _ toOne: ToOneColumn, of property: PropertyReference) {
    guard case .object(let target) = link.target else { return }
    let key = target[0].instanceKey
    transaction.log.drop { toOne.clear(property) { $0.instanceKey == key } }
  }

  private func writeLeaf(_ frame: Frame) throws {
    do {
      _ = try transaction.save(frame.object, frame.statements, revives: frame.isRoot)
    } catch let error as MagicError where error.code == .notFound && !frame.isRoot {
      leave(frame.object)
    }
  }

  /// - Returns: nil where the row is gone, and with it the object.
  private func writeRow(
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
      if changed.isEmpty { return (zIndex, false, false) }
      if try transaction.update(zIndex, to: object, changed, frame.statements, links: targets) {
        return (zIndex, false, false)
      }
      guard frame.isRoot else {
        leave(object)
        return nil
      }
      guard object.schema.primary != nil else {
        throw transaction.rowGone(identity.zIndex, object.schema)
      }
    }
    let (zIndex, wasThere) = try transaction.insert(object, frame.statements, links: targets)
    return (zIndex.rawValue, !wasThere, wasThere)
  }

  /// A member whose row is gone is no object of the database any more.
  private func leave(_ object: ObjectReference) {
    gone.insert(object.instanceKey)
    transaction.log.remove(object.record)
  }

  private enum LinkTarget {
    case none
    case row(Int64)
    case open
  }

  private func target(of link: CapturedLink) -> LinkTarget {
    switch link.target {
    case .none: return .none
    case .row(let row):
      return isUntouched(row) ? .row(row.zIndex) : target(of: row.chunk.schema.hold(row)[0])
    case .object(let held): return target(of: held[0])
    }
  }

  private func target(of object: ObjectReference) -> LinkTarget {
    if !wanted.contains(object.instanceKey), isGone(object) { return .none }
    guard let identity = object.identity(inTransactionOf: store.token),
      identity.store == store.token
    else { return .open }
    return .row(identity.zIndex.rawValue)
  }

  /// Fills in the to-ones that led to objects without a row.
  private func closeEnds(_ cancellation: inout CancellationCheck) throws {
    while let end = openEnds.popLast() {
      let (column, toOne) = end.owner.schema.toOnes[end.toOne]
      if case .open = target(of: end.target[0]) {
        // Set by another task since the object was looked at.
        try begin(end.target[0], holder: end.target, isRoot: false)
        try finishFrames()
        try goOn(&cancellation)
      }
      guard case .row(let zIndex) = target(of: end.target[0]) else {
        guard toOne.isNullable else { throw missing(toOne, end.owner.schema) }
        continue
      }
      var targets = [Int64?](repeating: nil, count: end.owner.schema.columns.count)
      targets[column] = zIndex
      var changed = ColumnSet()
      changed.insert(column)
      noteWhetherSaved(end.owner)
      let statements = try transaction.statements(of: end.owner.schema)
      _ = try transaction.update(
        end.zIndex, to: end.owner, changed, statements, links: targets)
      transaction.log.note(toOne.noteSaved(zIndex, in: end.owner.property(column)))
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
      .missingValue, "What the property leads to is not in the database any more.",
      type: schema.typeName, property: property.property)
  }
}

// MARK: Fetched rows nobody has made objects of

extension GraphSaver {
  private func visit(_ row: PackedRow) throws {
    let chunk = row.chunk
    let schema = chunk.schema
    let isUntouched = isUntouched(row)
    guard try schema.reach.hasRelationships else {
      if !isUntouched { hold(row) }
      return
    }
    let slots = schema.columns.count..<schema.layout.slotCount
    guard isUntouched,
      !slots.contains(where: { slot in
        let cell = row.slotCell(slot)
        return cell.withLock { cell.isChanged }
      })
    else { return hold(row) }
    guard visited.insert(UInt(bitPattern: row.address)).inserted else { return }

    for toOne in schema.toOnes where !row.isNull(toOne.column) {
      waiting.append(.row(row.target(toOne.column)))
    }
    for (index, collection) in schema.collections.enumerated() {
      let property = PropertyReference(
        storage: chunk.keeper,
        location: PropertyReference.location(row: row, column: schema.columns.count + index))
      try follow(
        LinkJob(
          owner: schema, collection: index, zIndex: row.zIndex, property: property,
          members: collection.capture(property) { _ in }, state: .saved))
    }
  }

  /// Whether a row is what it was when this database gave it out.
  private func isUntouched(_ row: PackedRow) -> Bool {
    row.existingRecord == nil && row.chunk.store == store.token
  }

  private func hold(_ row: PackedRow) {
    waiting.append(.objects(row.chunk.schema.hold(row), 0))
  }
}
