import MagicSchema
import MagicSQLite

extension WriteTransaction {
  /// Inserts or updates an object; an unchanged one writes nothing.
  ///
  /// - Parameter revives: whether an object whose row is gone is inserted again under its primary.
  /// - Returns: the object's z-index.
  /// - Throws: `MagicError`. The transaction is then to be rolled back.
  func save(
    _ object: ObjectReference, _ statements: TypeStatements, revives: Bool = true
  ) throws -> ZIndex {
    if let ownChanges { try ownChanges.refuse(object) }
    guard let identity = object.identity(inTransactionOf: store.token),
      identity.store == store.token
    else {
      return try insert(object, statements).zIndex
    }
    let changed = changes(of: object)
    if changed.isEmpty { return identity.zIndex }
    if try update(identity.zIndex.rawValue, to: object, changed, statements) {
      return identity.zIndex
    }
    // The row is gone. What has a name is saved under it again.
    guard revives, object.schema.primary != nil else {
      throw rowGone(identity.zIndex, object.schema)
    }
    return try insert(object, statements).zIndex
  }

  func rowGone(_ zIndex: ZIndex, _ schema: ObjectSchema) -> MagicError {
    MagicError(
      .notFound, "Row \(zIndex) is not in the database any more.", type: schema.typeName)
  }

  private func insertIgnored(_ schema: ObjectSchema) -> MagicError {
    MagicError(
      .constraint, "A trigger or constraint of the table did not let the row be inserted.",
      type: schema.typeName)
  }

  /// The columns to write, without those that lead to other rows.
  func changes(of object: ObjectReference) -> ColumnSet {
    let first = object.property(0)
    var changed = ColumnSet()
    for column in object.schema.columns.indices
    where object.schema.plans[column].codec != .link
      && object.schema.columns[column].isChanged(object.property(column), since: first)
    {
      changed.insert(column)
    }
    return changed
  }

  /// Inserts an object, or makes it the row that has its primary.
  ///
  /// - Returns: the row, and whether it was there.
  func insert(
    _ object: ObjectReference, _ statements: TypeStatements, links: [Int64?] = []
  ) throws -> (zIndex: ZIndex, wasThere: Bool) {
    let schema = object.schema
    var assigned: Int?
    var zIndex: Int64?
    if findsRow(schema) { zIndex = try updateByPrimary(object, statements, links) }
    var wasThere = zIndex != nil
    if zIndex == nil {
      (zIndex, assigned) = try insertRow(object, statements, links)
      if zIndex == nil {
        zIndex = try updateByPrimary(object, statements, links)
        wasThere = true
      }
      note(findsRow: wasThere, schema)
    }
    guard let zIndex else {
      throw insertIgnored(schema)
    }
    let identity = RowIdentity(store: store.token, zIndex: ZIndex(rawValue: zIndex))
    log.assign(identity, to: object.record)
    for reverse in schema.reverses.indices {
      let property = object.property(schema.layout.slotCount + reverse)
      guard property.isBox else { continue }
      unsafeDowncast(property.storage, to: ReversePropertyBox.self).adopt(object.record)
    }
    if schema.hasLazies { adoptLazies(of: object) }
    if let assigned, let primary = schema.primary {
      log.assignPrimary(assigned, to: object.property(primary))
    } else {
      notePrimary(of: object)
    }
    return (identity.zIndex, wasThere)
  }

  /// The cells of a new object's lazy properties learn whose they are.
  private func adoptLazies(of object: ObjectReference) {
    for slot in object.schema.lazies where object.property(slot).isBox {
      object.property(slot).lazyPropertyBox?
        .adopt(object.record, LazyPropertyBox.Home(schema: object.schema, slot: slot))
    }
  }

  /// Inserts a row for an object.
  ///
  /// - Returns: its z-index, nil where the primary is taken; and the number that the database
  ///   counted up to, where it did.
  private func insertRow(
    _ object: ObjectReference, _ statements: TypeStatements, _ links: [Int64?]
  ) throws -> (zIndex: Int64?, assigned: Int?) {
    let schema = object.schema
    let encoder = encoder(of: object, links: links)
    let insert = try statements.insert
    var assigned: Int?
    if let zIndex = try explicitZIndex(of: schema) {
      try insert.bind(zIndex, at: 1)
    } else {
      try insert.bindNull(at: 1)
    }
    for column in schema.columns.indices {
      let isBound = try encoder.bind(column, of: object, to: insert, at: column + 2, log: &log)
      if !isBound {
        let missing = try bindOther(column, of: object, to: insert, at: column + 2)
        assigned = missing ?? assigned
      }
    }
    try EarlierValues.refuse(schema)
    _ = try insert.step()
    insert.reset()
    guard store.connection.changes > 0 else {
      // Without a primary there is no conflict that could have left the row out.
      guard schema.primary != nil else { throw insertIgnored(schema) }
      guard assigned == nil else {
        throw MagicError(
          .constraint, "A number that the database counted up to is taken.", type: schema.typeName)
      }
      return (nil, nil)
    }
    let zIndex = store.connection.lastInsertedRow
    if zIndex < Int64.max {
      store.counting.insert(schema)
    } else {
      store.counting.remove(schema)
    }
    noteInserted(zIndex, schema)
    return (zIndex, assigned)
  }

  /// The arena is empty then: a statement is bound and run before the next one is bound.
  private func encoder(of object: ObjectReference, links: [Int64?]) -> RowEncoder {
    store.arena.reset()
    return RowEncoder(
      schema: object.schema, arena: store.arena, logsCells: object.hasHistory, links: links)
  }

  /// Binds the name of a file, or what takes the place of a value that is not there: NULL, a default,
  /// a number.
  ///
  /// - Returns: the number, where one was counted up.
  private func bindOther(
    _ index: Int, of object: ObjectReference, to statement: SQLiteStatement, at parameter: Int
  ) throws -> Int? {
    let schema = object.schema
    let column = schema.columns[index]
    if column.isFile, try bindFile(index, of: object, to: statement, at: parameter) { return nil }
    switch column.role {
    case .optional:
      try statement.bindNull(at: parameter)
      return nil
    case .primary where column.isAssignedByStore:
      let number = try nextPrimary(of: schema, column: column)
      try statement.bind(Int64(number), at: parameter)
      return number
    case .primary:
      column.assignDefault(object.property(index))
      if try RowEncoder(schema: schema, arena: store.arena, logsCells: object.hasHistory)
        .bind(index, of: object, to: statement, at: parameter, log: &log)
      {
        return nil
      }
    case .required: break
    }
    throw MagicError(
      .missingValue, "The property has no value. Nothing was written.", type: schema.typeName,
      property: column.property)
  }

  /// Makes the row that has an object's primary the object's.
  ///
  /// - Returns: its z-index; nil where there is none, or the object has no primary yet.
  private func updateByPrimary(
    _ object: ObjectReference, _ statements: TypeStatements, _ links: [Int64?]
  ) throws -> Int64? {
    let schema = object.schema
    guard let primary = schema.primary,
      schema.columns[primary].hasValue(object.property(primary))
    else { return nil }
    let encoder = encoder(of: object, links: links)
    let update = try statements.updateByPrimary
    for column in schema.columns.indices {
      if try !encoder.bind(column, of: object, to: update, at: column + 1, log: &log) {
        _ = try bindOther(column, of: object, to: update, at: column + 1)
      }
    }
    try EarlierValues.refuse(schema)
    if let zIndex = try store.connection.keyOfUpdatedRow(by: update) { return zIndex }
    // Triggers have updated rows as well, or a trigger or nothing stands there.
    guard store.connection.changes > 0 else { return nil }
    let lookUp = try statements.zIndexOfPrimary
    defer { lookUp.reset() }
    _ = try self.encoder(of: object, links: [])
      .bind(primary, of: object, to: lookUp, at: 1, log: &log)
    return try lookUp.step() ? lookUp.column(0).integer : nil
  }

  /// - Returns: whether there is such a row.
  /// - Throws: `MagicError` with `.constraint` where a trigger keeps it as it is.
  func update(
    _ zIndex: Int64, to object: ObjectReference, _ columns: ColumnSet,
    _ statements: TypeStatements, links: [Int64?] = []
  ) throws -> Bool {
    let encoder = encoder(of: object, links: links)
    let update = try statements.update(columns)
    var parameter = 0
    try columns.forEach { column in
      parameter += 1
      if try !encoder.bind(column, of: object, to: update, at: parameter, log: &log) {
        _ = try bindOther(column, of: object, to: update, at: parameter)
      }
    }
    try update.bind(zIndex, at: parameter + 1)
    try EarlierValues.refuse(object.schema)
    _ = try update.step()
    update.reset()
    guard store.connection.changes > 0 else {
      guard try !hasRow(zIndex, statements) else { throw changeIgnored(object.schema) }
      return false
    }
    if let primary = object.schema.primary, columns.contains(primary) { notePrimary(of: object) }
    return true
  }

  private func changeIgnored(_ schema: ObjectSchema) -> MagicError {
    MagicError(
      .constraint, "A trigger of the table ignored the change of a row.", type: schema.typeName)
  }
}
