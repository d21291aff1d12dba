import MagicEngine
package import MagicSchema

/// Saves that write only the assigned properties of new objects whose rows are stored.
extension ObjectTransaction {
  /// Saves objects, and all objects that they refer to. A new object whose row is stored updates the
  /// properties that were assigned, and gets the stored values of the others.
  ///
  /// - Parameter matched: the columns by whose values the row is found, instead of the primary or
  ///   key; empty for those.
  /// - Returns: their row IDs.
  /// - Throws: `MagicError`. The caller must then roll back the transaction or its savepoint.
  package func merge<Model: MagicObject>(
    _ objects: [Model], _ schema: ObjectSchema, matched: [Int] = []
  ) throws -> [ZIndex] {
    merged.removeAll()
    defer { merged.removeAll() }
    let zIndexes = try save(objects, schema, SavingRules(existing: .merge, matched: matched))
    try complete(objects, schema)
    return zIndexes
  }

  /// Saves objects of several types in order, and all objects that they refer to, as `save` does.
  ///
  /// - Parameters:
  ///   - rules: which of the objects are merged.
  ///   - candidates: all objects that may be merged, also because another object refers to them.
  /// - Returns: the row IDs of the objects.
  /// - Throws: `MagicError`. The caller must then roll back the transaction or its savepoint.
  package func merge(
    _ objects: [any MagicObject], _ rules: SavingRules, _ candidates: [any MagicObject]
  ) throws -> [ZIndex] {
    merged.removeAll()
    defer { merged.removeAll() }
    let zIndexes = try save(objects, rules)
    var types: Set<ObjectIdentifier> = []
    for object in candidates
    where !merged.isEmpty && types.insert(ObjectIdentifier(type(of: object))).inserted {
      try complete(like: object, candidates)
    }
    return zIndexes
  }

  /// Merges objects of several types in order.
  ///
  /// - Returns: their row IDs.
  /// - Throws: `MagicError`. The caller must then roll back the transaction or its savepoint.
  package func merge(_ objects: [any MagicObject]) throws -> [ZIndex] {
    try merge(objects, SavingRules(existing: .merge), objects)
  }

  /// Completes the merged objects of the type of one of them.
  private func complete<Model: MagicObject>(
    like first: Model, _ objects: [any MagicObject]
  ) throws {
    try complete(objects.compactMap { $0 as? Model }, ObjectSchema.of(Model.self))
  }

  /// Gives merged objects the stored values of the properties that were not assigned.
  private func complete<Model: MagicObject>(_ objects: [Model], _ schema: ObjectSchema) throws {
    guard !merged.isEmpty else { return }
    let names = objects.map { object in
      schema.withReference(to: object) { merged[$0.instanceKey] }
    }
    let incomplete = zip(objects, names).filter { $1?.isEmpty == false }
    let stored = try engine.reader.instances(of: incomplete.map(\.0), schema)
    for ((object, names), stored) in zip(incomplete, stored) {
      schema.withReference(to: object) { object in
        schema.withReference(to: stored) { stored in
          ObjectRefresh(object, from: stored, only: names).run { log.noteReplacement($0) }
        }
      }
    }
  }
}
