package import MagicEngine
package import MagicSchema

extension ObjectTransaction {
  /// Gives objects the values of their rows. A rollback restores the previous values.
  ///
  /// - Parameter names: the properties, if not all.
  /// - Throws: as ``EngineReader/refresh(_:_:)``.
  package func refresh<Model: MagicObject>(
    _ objects: [Model], _ schema: ObjectSchema, only names: Set<String>? = nil
  ) throws {
    guard !objects.isEmpty else { return }
    begin()
    try prepareTable(of: schema)
    try engine.reader.refresh(objects, schema, only: names) { log.noteReplacement($0) }
  }

  /// Fetches other instances of objects.
  ///
  /// - Throws: as ``EngineReader/refresh(_:_:)``.
  package func instances<Model: MagicObject>(
    of objects: [Model], _ schema: ObjectSchema
  ) throws -> [Model] {
    begin()
    try prepareTable(of: schema)
    return try engine.reader.instances(of: objects, schema)
  }
}

extension EngineReader {
  /// Gives objects the values of their rows, outside of a write transaction.
  ///
  /// - Throws: `MagicError`: `.notSaved` for an object that has no row in this database, `.notFound`
  ///   if a row does not exist. Then no object was changed.
  package func refresh<Model: MagicObject>(_ objects: [Model], _ schema: ObjectSchema) throws {
    guard !objects.isEmpty else { return }
    try refresh(objects, schema, only: nil) { _ in }
  }

  fileprivate func refresh<Model: MagicObject>(
    _ objects: [Model], _ schema: ObjectSchema, only names: Set<String>?,
    note: (UndoAction) -> Void
  ) throws {
    for (object, new) in zip(objects, try instances(of: objects, schema)) {
      schema.withReference(to: object) { object in
        schema.withReference(to: new) { ObjectRefresh(object, from: $0, only: names).run(note) }
      }
    }
  }

  /// Fetches other instances of objects.
  ///
  /// - Throws: as ``refresh(_:_:)``.
  package func instances<Model: MagicObject>(
    of objects: [Model], _ schema: ObjectSchema
  ) throws -> [Model] {
    let rows = try objects.map { try schema.withReference(to: $0, rowToRefresh) }
    let fetched = try self.objects(of: Model.self, schema, at: rows)
    return try zip(rows, fetched).map { row, object in
      guard let object else { throw missingRow(row, schema) }
      return object
    }
  }

  /// Returns the row ID of an object.
  private func rowToRefresh(_ object: ObjectReference) throws -> Int64 {
    if let ownChanges = OwnChanges.current { try ownChanges.refuse(object) }
    guard let identity = object.identity(inTransactionOf: token), identity.store == token else {
      throw MagicError(
        .notSaved,
        "The object is not in this database, so there is no row with its values. Save it first.",
        type: object.schema.typeName)
    }
    return identity.zIndex.rawValue
  }

  private func missingRow(_ rowID: Int64, _ schema: ObjectSchema) -> MagicError {
    MagicError(
      .notFound,
      "Row \(rowID) no longer exists. The objects in memory are unchanged. To insert the object "
        + "again, call update(_:ifMissing: .insert).", type: schema.typeName)
  }
}
