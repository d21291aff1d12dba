import MagicEngine
import MagicRuntime
import MagicSchema

extension ObjectTransaction {
  /// Captures an object whose type has no relationships. An unchanged object writes nothing.
  ///
  /// - Returns: the assumed row ID, which the engine may correct.
  @discardableResult
  func capture(
    _ object: ObjectReference, holder: RetainedObjects? = nil, isRoot: Bool,
    place: OwnedPlace? = nil
  ) throws -> ZIndex {
    if let ownChanges { try ownChanges.refuse(object) }
    guard let identity = object.identity(inTransactionOf: store), identity.store == store else {
      if let rowID = try rowToUpdate(of: object, isRoot: isRoot)
        ?? primaryRow(inGraph: object, isRoot: isRoot)
      {
        let zIndex = ZIndex(rawValue: rowID)
        try captureExisting(
          object, zIndex, targets: [], holder: holder, isMerged: merges(object, isRoot: isRoot))
        return zIndex
      }
      return try captureNew(object, holder: holder, isRoot: isRoot, place: place)
    }
    if isRoot { try requireUnsaved(object) }
    if !merged.isEmpty, merged[object.instanceKey] != nil { return identity.zIndex }
    let changed = try changes(of: object)
    guard !changed.isEmpty || (isRoot && rules.missing == .insert) else { return identity.zIndex }
    var zIndex = identity.zIndex
    if hasUnconfirmedIDs {
      // The object may be captured already, and the engine may correct its assumed row.
      try flush()
      zIndex = object.identity(inTransactionOf: store)?.zIndex ?? zIndex
    }
    if changed.isEmpty {
      try captureRequirement(object, zIndex, holder: holder, isRoot: isRoot)
    } else {
      try captureUpdate(object, zIndex, changed, holder: holder, isRoot: isRoot)
    }
    return zIndex
  }

  /// Returns the changed columns, except those of to-one relationships.
  ///
  /// - Throws: `MagicError` with `.constraint` if a primary that is the row ID has changed.
  func changes(of object: ObjectReference) throws -> ColumnSet {
    let schema = object.schema
    var changed = ColumnSet()
    for column in schema.plans.indices where schema.plans[column].codec != .link {
      let plan = schema.plans[column]
      let isChanged =
        plan.hasOwnChangeRule
        ? schema.columns[column].isChanged(object.property(column), since: object.property(0))
        : object.place(column).isChanged(plan.packing, since: object.place(0))
      if isChanged { changed.insert(column) }
    }
    if schema.hasRowIDPrimary { try checkPrimary(of: object, &changed) }
    return changed
  }

  /// Captures an object that has no row in this database.
  ///
  /// - Parameters:
  ///   - targets: the row IDs that its to-one relationships refer to, by column.
  ///   - reserved: its row ID, if one was reserved before.
  ///   - place: its place in an owned list, if it is a member of one.
  @discardableResult
  func captureNew(
    _ object: ObjectReference, targets: [Int64?] = [], reserved: Int64? = nil,
    holder: RetainedObjects?, isRoot: Bool, place: OwnedPlace? = nil
  ) throws -> ZIndex {
    let schema = object.schema
    // A pending update may insert its object. Row IDs are reserved in the order of the inserts.
    if isOneByOne || hasPossibleInserts { try flush() } else if isFull { try flushFull() }
    // An auto-increment value must be greater than all values that the program has set.
    if hasChosenPrimaries, let primary = schema.primary,
      !schema.columns[primary].hasValue(object.property(primary))
    {
      try flush()
    }
    if schema.version != nil { setVersion(of: object, to: VersionColumn.first) }
    let isExpected =
      schema.identifiesRows && lookAhead?.rows.noteInserted(object) == true
    let first = values.append(schema.plans.count + (place == nil ? 0 : 2))
    let capture = RowCapture(object, into: values, targets: targets)
    var operation = insertion(of: object, isRoot: isRoot)
    var assigned: Int?
    var next = 0
    while let column = try capture.captureColumns(from: next, of: object, at: first, log: &log) {
      next = column + 1
      if schema.columns[column].isFile,
        try captureFile(column, of: object, at: first + column)
      {
        continue
      }
      switch schema.columns[column].role {
      case .optional: break
      case .required: throw MagicError.withoutValue(schema.columns[column], schema)
      case .primary:
        assigned = try assignPrimary(column, of: object, at: first + column, reserved)
        if assigned != nil { operation = .insert }
      }
    }
    try StaleReads.refuse(schema)
    let rowID =
      try schema.hasRowIDPrimary
      ? rowIDPrimary(at: first, of: schema) : reserved ?? reserve(schema)
    append(operation, rowID, of: schema, firstField: first, place)

    let zIndex = ZIndex(rawValue: rowID)
    let entry = log.assign(zIndex, to: object.record)
    if !schema.reverses.isEmpty || schema.hasLazies { setPropertyOwners(of: object) }
    if let assigned, let primary = schema.primary {
      log.assignPrimary(assigned, to: object.property(primary))
    }
    if operation != .insert { noteChosenPrimary(schema) }
    if isOneByOne
      || (operation == .upsert && (!schema.hasRowIDPrimary || schema.version != nil))
    {
      if !isExpected { hasUnconfirmedIDs = true }
      unconfirmed.append(
        UnconfirmedRow(
          row: changeset.count - 1, object, holder: holder, isRoot: isRoot, logEntry: entry,
          isExpected: isExpected))
    }
    return zIndex
  }

  /// Returns the operation for a new object whose primary, if its type has one, is set.
  private func insertion(of object: ObjectReference, isRoot: Bool) -> RowOperation {
    guard object.schema.primary != nil else { return .insert }
    return rules.requiresInsertion(of: object, isRoot: isRoot) ? .insertNew : .upsert
  }

  /// Appends a new row, whose columns are captured.
  private func append(
    _ operation: RowOperation, _ rowID: Int64, of schema: ObjectSchema, firstField first: Int,
    _ place: OwnedPlace?
  ) {
    if let place {
      values.set(.integer(place.ownerID), at: first + schema.plans.count)
      values.set(.integer(Int64(place.index)), at: first + schema.plans.count + 1)
    }
    changeset.append(
      operation, rowID, of: schema, columns: ColumnSet(), firstField: first, list: place?.list)
  }

  /// Captures the given columns of an object that has a row, and its next version, if its type has
  /// one.
  ///
  /// - Parameter isExpected: whether the row was looked up in this transaction.
  func captureUpdate(
    _ object: ObjectReference, _ zIndex: ZIndex, _ changed: ColumnSet, targets: [Int64?] = [],
    holder: RetainedObjects?, isRoot: Bool, isExpected: Bool = false
  ) throws {
    let schema = object.schema
    var columns = changed
    if let version = schema.version {
      columns.insert(version)
      try incrementVersion(of: object)
    }
    let changesPrimary = schema.primary.map { columns.contains($0) } ?? false
    if isFull || (changesPrimary && hasPossibleInserts) { try flush() }
    if !isExpected { noteChanged(columns, of: schema) }
    let first = values.append(columns.count)
    let capture = RowCapture(object, into: values, targets: targets)
    var place = first
    try columns.forEach { column in
      if try !capture.capture(column, of: object, at: place, log: &log),
        try !schema.columns[column].isFile || !captureFile(column, of: object, at: place)
      {
        switch schema.columns[column].role {
        case .optional: break
        case .required: throw MagicError.withoutValue(schema.columns[column], schema)
        case .primary: try assignPrimary(column, of: object, at: place)
        }
      }
      place += 1
    }
    try StaleReads.refuse(schema)
    changeset.append(.update, zIndex.rawValue, of: schema, columns: columns, firstField: first)
    if changesPrimary { noteChosenPrimary(schema) }
    addUnconfirmed(object, holder: holder, isRoot: isRoot, isExpected: isExpected)
  }

  /// Captures the requirement that an object's row exists.
  func captureRequirement(
    _ object: ObjectReference, _ zIndex: ZIndex, holder: RetainedObjects?, isRoot: Bool = false
  ) throws {
    if isFull { try flush() }
    changeset.append(
      .require, zIndex.rawValue, of: object.schema, columns: ColumnSet(),
      firstField: values.count)
    addUnconfirmed(object, holder: holder, isRoot: isRoot)
  }

  /// Captures an object without a row as an update of the stored row that has its primary value.
  ///
  /// - Parameter isMerged: whether only the assigned properties are written.
  func captureExisting(
    _ object: ObjectReference, _ zIndex: ZIndex, targets: [Int64?], holder: RetainedObjects?,
    isMerged: Bool = false
  ) throws {
    var columns = ColumnSet()
    for column in object.schema.columns.indices
    where column != object.schema.primary && (!isMerged || object.isAssigned(column)) {
      columns.insert(column)
    }
    let lookedUpRows = lookAhead?.rows.noteMatched(object, zIndex.rawValue)
    _ = log.assign(zIndex, to: object.record)
    setPropertyOwners(of: object)
    if object.schema.version != nil { try readVersion(of: object, zIndex, lookedUpRows) }
    let changesMembers = isMerged && noteMerged(object)
    guard !columns.isEmpty || changesMembers && object.schema.version != nil else { return }
    try captureUpdate(
      object, zIndex, columns, targets: targets, holder: holder, isRoot: false,
      isExpected: lookedUpRows != nil)
  }

  /// Captures a new value of a to-one column.
  func captureReference(
    _ owner: ObjectReference, _ ownerID: Int64, _ column: Int, to target: Int64?,
    holder: RetainedObjects?
  ) throws {
    if isFull { try flush() }
    var columns = ColumnSet()
    columns.insert(column)
    noteChanged(columns, of: owner.schema)
    let place = values.append(1)
    values.set(target.map { .integer($0) } ?? .null, at: place)
    changeset.append(.update, ownerID, of: owner.schema, columns: columns, firstField: place)
    addUnconfirmed(owner, holder: holder, isRoot: false)
  }

  private func noteChosenPrimary(_ schema: ObjectSchema) {
    if schema.autoIncrementPrimary != nil { hasChosenPrimaries = true }
  }

  /// Records that the engine may report the last captured row as missing.
  private func addUnconfirmed(
    _ object: ObjectReference, holder: RetainedObjects?, isRoot: Bool, isExpected: Bool = false
  ) {
    if isRoot, rules.missing == .insert {
      hasPossibleInserts = true
      lookAhead?.rows.removeAll()
    }
    unconfirmed.append(
      UnconfirmedRow(
        row: changeset.count - 1, object, holder: holder, isRoot: isRoot, logEntry: nil,
        isExpected: isExpected))
  }

  /// Captures the content of a property that is stored in a file.
  ///
  /// - Returns: false if the property has no value.
  private func captureFile(_ index: Int, of object: ObjectReference, at place: Int) throws -> Bool {
    let column = object.schema.columns[index]
    let isLogged = object.hasHistory
    let captured = column.capture(object.property(index), in: store) {
      log.clear($0, isLogged: isLogged)
    }
    log.note(captured.lazy?.undo)
    switch captured.state {
    case .unset: return false
    case .none: values.set(file: nil, at: place)
    case .content(let content): values.set(file: content, at: place)
    case .lost: throw MagicError.notInMemory(column, object.schema)
    }
    if let lazy = captured.lazy { releaseOnCommit(lazy) }
    return true
  }

  /// Releases the value in memory when the transaction commits.
  func releaseOnCommit(_ lazy: LazyCapture) {
    let engine = engine
    log.onCommit { lazy.didCommit(engine.makeLease()) }
  }

  /// Assigns a primary value to an object that has none.
  ///
  /// - Parameter reserved: the row ID of the object, if one was reserved before.
  /// - Returns: the value, if it is an auto-increment value of the database.
  @discardableResult
  private func assignPrimary(
    _ index: Int, of object: ObjectReference, at place: Int, _ reserved: Int64? = nil
  ) throws -> Int? {
    let schema = object.schema
    let column = schema.columns[index]
    if column.isAssignedByStore {
      lookAhead?.rows.noteAssignedPrimary(of: schema)
      let number =
        try schema.hasRowIDPrimary
        ? nextRowIDPrimary(column, of: schema, reserved)
        : engine.nextPrimary(of: schema, column: column)
      values.set(.integer(Int64(number)), at: place)
      return number
    }
    column.assignDefault(object.property(index))
    guard
      try RowCapture(object, into: values)
        .capture(index, of: object, at: place, log: &log)
    else { throw MagicError.withoutValue(column, schema) }
    return nil
  }

  /// Sets the owner of the property boxes of a new object's inverse relationships and lazy
  /// properties.
  private func setPropertyOwners(of object: ObjectReference) {
    let schema = object.schema
    for reverse in schema.reverses.indices {
      let property = object.property(schema.layout.slotCount + reverse)
      guard property.isBox else { continue }
      unsafeDowncast(property.storage, to: ReversePropertyBox.self).attach(object.record)
    }
    guard schema.hasLazies else { return }
    for slot in schema.lazies where object.property(slot).isBox {
      object.property(slot).lazyPropertyBox?
        .attach(object.record, LazyPropertyBox.Position(schema: schema, slot: slot))
    }
  }
}
