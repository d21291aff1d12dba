import MagicEngine
package import MagicSchema

extension ObjectTransaction {
  /// The number of objects that are captured between two checks for cancellation.
  private static var stride: Int { 256 }

  /// The distance, in objects, between the object that is captured and the object whose memory is
  /// prefetched.
  private static var prefetchDistance: Int { 4 }

  /// Saves one object and all objects that it refers to.
  ///
  /// - Returns: its row ID.
  /// - Throws: `MagicError`. The caller must then roll back the transaction or its savepoint.
  package func save<Model: MagicObject>(
    _ object: Model, _ schema: ObjectSchema, _ rules: SavingRules = SavingRules()
  ) throws -> ZIndex {
    begin(rules)
    try prepareTable(of: schema)
    isOneByOne = try engine.reservesOneByOne
    guard try !schema.savesOthers(with: object) else { return try saveGraphs([object], schema)[0] }
    return try schema.withReference(to: object) { reference in
      let assumed = try capture(reference, isRoot: true)
      guard !changeset.isEmpty else { return assumed }
      try flush()
      guard hasCorrections else { return assumed }
      return reference.identity(inTransactionOf: store)?.zIndex ?? assumed
    }
  }

  /// Saves objects in order, and all objects that they refer to.
  ///
  /// - Returns: their row IDs.
  package func save<Model: MagicObject>(
    _ objects: [Model], _ schema: ObjectSchema, _ rules: SavingRules = SavingRules()
  ) throws -> [ZIndex] {
    guard !objects.isEmpty else { return [] }
    begin(rules)
    try prepareTable(of: schema)
    isOneByOne = try engine.reservesOneByOne
    if let zIndexes = try savePostponingIndexes(objects, schema) { return zIndexes }
    return try saveAll(objects, schema)
  }

  private func saveAll<Model: MagicObject>(
    _ objects: [Model], _ schema: ObjectSchema
  ) throws -> [ZIndex] {
    guard try !schema.reach.hasRelationships else { return try saveGraphs(objects, schema) }
    var zIndexes: [ZIndex] = []
    zIndexes.reserveCapacity(objects.count)
    var edited: [ObjectReference] = []
    let hasReverses = !schema.reverses.isEmpty
    try each(of: objects, schema) { object in
      zIndexes.append(try capture(object, isRoot: true))
      if hasReverses, object.hasInverseEdits { edited.append(object) }
    } finally: {
      try flush()
      if !edited.isEmpty { try saveInverses(of: edited) }
    }
    return hasCorrections ? try correctedRows(of: objects, schema, zIndexes) : zIndexes
  }

  /// Saves objects and creates the indexes of the tables without rows afterwards.
  ///
  /// - Returns: the row IDs; nil if nothing was saved, because this is not possible or not faster.
  private func savePostponingIndexes<Model: MagicObject>(
    _ objects: [Model], _ schema: ObjectSchema
  ) throws -> [ZIndex]? {
    guard objects.count >= engine.postponingMinimum, !isOneByOne, rules.matched.isEmpty,
      !rules.mayMerge
    else { return nil }
    let schemas = try ObjectSchema.reached(from: [schema])
    // Keys are looked up, and a save that is repeated would write its files twice.
    guard schemas.allSatisfy({ $0.key.isEmpty && $0.fileColumns.isEmpty }) else { return nil }
    var zIndexes: [ZIndex] = []
    let savepoint = log.savepoint
    let isSaved = try engine.postponingIndexes(of: schemas.filter { !$0.hasRowIDPrimary }) {
      zIndexes = try saveAll(objects, schema)
    }
    guard !isSaved else { return zIndexes }
    log.rollBack(to: savepoint)
    begin(rules)
    return nil
  }

  /// Returns the row IDs of objects after the engine has corrected some of the assumed row IDs.
  private func correctedRows<Model: MagicObject>(
    of objects: [Model], _ schema: ObjectSchema, _ assumed: [ZIndex]
  ) throws -> [ZIndex] {
    var zIndexes = assumed
    var place = 0
    try each(of: objects, schema) { object in
      if let identity = object.identity(inTransactionOf: store) {
        zIndexes[place] = identity.zIndex
      }
      place += 1
    }
    return zIndexes
  }

  /// Saves the owners of relationships that were edited through the inverse relationships of objects
  /// with rows.
  private func saveInverses(of objects: [ObjectReference]) throws {
    let saver = GraphSaver(self)
    graph = saver
    defer { graph = nil }
    for object in objects { try saver.applyInverseEdits(of: object, isRoot: true) }
    try saver.saveInverseOwners()
    try saver.finish()
  }

  private func saveGraphs<Model: MagicObject>(
    _ objects: [Model], _ schema: ObjectSchema
  ) throws -> [ZIndex] {
    let saver = GraphSaver(self)
    graph = saver
    defer { graph = nil }
    var zIndexes: [ZIndex] = []
    zIndexes.reserveCapacity(objects.count)
    if objects.count > 1 {
      let isReached = try schema.reach.isCyclic
      try each(of: objects, schema) { saver.markExplicit($0, isReached: isReached) }
    }
    try each(of: objects, schema) {
      zIndexes.append(try saver.save($0))
    } finally: {
      try saver.finish()
    }
    try StaleReads.refuse(schema)
    return zIndexes
  }

  /// Deletes the rows of objects. The objects become unsaved when the transaction commits.
  ///
  /// - Throws: `MagicError` with `.notSaved` if an object has no row in this database,
  ///   `.conflict` if its version is outdated, and `.constraint` if a trigger prevents the deletion.
  package func remove<Model: MagicObject>(_ objects: [Model], _ schema: ObjectSchema) throws {
    guard !objects.isEmpty else { return }
    begin()
    try prepareTable(of: schema)
    try each(of: objects, schema) { object in
      guard let identity = object.identity(inTransactionOf: store), identity.store == store,
        !log.removes(object.record)
      else {
        throw MagicError(
          .notSaved,
          "The object is not in this database, so it cannot be removed. Nothing was removed.",
          type: schema.typeName)
      }
      captureDeletion(of: object, identity.zIndex)
      log.remove(object.record)
      if isFull { try flush() }
    } finally: {
      try flush()
    }
  }

  /// Creates or migrates the type's table if needed.
  func prepareTable(of schema: ObjectSchema) throws {
    guard try !engine.hasCurrentTable(of: schema) else { return }
    try flush()
    try engine.updateTable(of: schema)
    isOneByOne = try engine.reservesOneByOne
  }

  /// Calls the body for each object in place, without copying it.
  ///
  /// - Parameter finally: runs after all objects were visited, while they are still in place.
  private func each<Model: MagicObject>(
    of objects: [Model], _ schema: ObjectSchema, _ body: (ObjectReference) throws -> Void,
    finally: () throws -> Void = {}
  ) throws {
    try objects.withUnsafeBufferPointer { buffer in
      if let lookAhead, let start = buffer.baseAddress {
        lookAhead.roots = SavedRoots(count: buffer.count) {
          ObjectReference(instance: UnsafeRawPointer(start + $0), schema: schema)
        }
      }
      defer { lookAhead?.roots = nil }
      for index in buffer.indices {
        lookAhead?.nextRoot = index + 1
        if index % Self.stride == 0 { try Task.checkCancellation() }
        guard let start = buffer.baseAddress else { return }
        let ahead = index + Self.prefetchDistance
        if ahead < buffer.count {
          ObjectReference(instance: UnsafeRawPointer(start + ahead), schema: schema).prefetch()
        }
        try body(ObjectReference(instance: UnsafeRawPointer(start + index), schema: schema))
      }
      try finally()
    }
  }
}
