package import MagicSchema
import SQLiteTables

extension WriteTransaction {
  /// How many objects are written between two looks at whether the task was cancelled.
  private static var stride: Int { 256 }

  /// How far ahead of the object at work memory is fetched.
  private static var prefetchDistance: Int { 4 }

  /// Saves one object.
  package func save<Model: MagicObject>(_ object: Model, _ schema: ObjectSchema) throws -> ZIndex {
    noteChangesInProgress()
    return try mapping(schema) {
      let statements = try statements(of: schema)
      guard try !schema.reach.hasRelationships else { return try saveGraphs([object], schema)[0] }
      return try schema.withReference(to: object) { try save($0, statements) }
    }
  }

  /// Saves objects in order.
  package func save<Model: MagicObject>(
    _ objects: [Model], _ schema: ObjectSchema
  ) throws -> [ZIndex] {
    guard !objects.isEmpty else { return [] }
    noteChangesInProgress()
    return try mapping(schema) {
      let statements = try statements(of: schema)
      guard try !schema.reach.hasRelationships else { return try saveGraphs(objects, schema) }
      var zIndexes: [ZIndex] = []
      zIndexes.reserveCapacity(objects.count)
      try each(of: objects, schema) { zIndexes.append(try save($0, statements)) }
      return zIndexes
    }
  }

  private func noteChangesInProgress() {
    ownChanges = OwnChanges.current
    EarlierValues.forget()
  }

  /// Saves objects with all they lead to.
  private func saveGraphs<Model: MagicObject>(
    _ objects: [Model], _ schema: ObjectSchema
  ) throws -> [ZIndex] {
    let saver = GraphSaver(self)
    var zIndexes: [ZIndex] = []
    zIndexes.reserveCapacity(objects.count)
    if objects.count > 1 {
      let isReached = try schema.reach.isCyclic
      try each(of: objects, schema) { saver.markExplicit($0, isReached: isReached) }
    }
    try each(of: objects, schema) { zIndexes.append(try saver.save($0)) }
    try saver.flush()
    try EarlierValues.refuse(schema)
    return zIndexes
  }

  /// Removes objects in order.
  package func remove<Model: MagicObject>(_ objects: [Model], _ schema: ObjectSchema) throws {
    guard !objects.isEmpty else { return }
    let statements = try statements(of: schema)
    try each(of: objects, schema) { try remove($0, statements) }
  }

  /// Removes all objects of a type.
  ///
  /// - Returns: how many there were.
  package func removeAll(_ schema: ObjectSchema) throws -> Int {
    switch try store.table(of: schema) {
    case .current(let statements): return try removeAll(statements)
    case .missing: return 0
    case .outdated: return try removeAll(statements(of: schema))
    }
  }

  /// Visits objects where they lie, without copying one.
  private func each<Model: MagicObject>(
    of objects: [Model], _ schema: ObjectSchema, _ body: (ObjectReference) throws -> Void
  ) throws {
    try objects.withUnsafeBufferPointer { buffer in
      for index in buffer.indices {
        if index % Self.stride == 0 { try Task.checkCancellation() }
        guard let start = buffer.baseAddress else { return }
        let ahead = index + Self.prefetchDistance
        if ahead < buffer.count {
          ObjectReference(instance: UnsafeRawPointer(start + ahead), schema: schema).prefetch()
        }
        try body(ObjectReference(instance: UnsafeRawPointer(start + index), schema: schema))
      }
    }
  }
}
