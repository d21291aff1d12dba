import MagicEngine
package import MagicSchema

/// Objects of several types in one call.
extension ObjectTransaction {
  /// Saves objects of several types in order, and all objects that they refer to. They may refer to
  /// each other: each object is saved once, with the rules of the call.
  ///
  /// - Returns: their row IDs.
  /// - Throws: `MagicError`. The caller must then roll back the transaction or its savepoint.
  package func save(
    _ objects: [any MagicObject], _ rules: SavingRules = SavingRules()
  ) throws -> [ZIndex] {
    let groups = try ObjectGroups(objects).groups
    guard groups.count > 1 else { return try groups.first?.save(in: self, rules) ?? [] }
    begin(rules)
    for group in groups { try prepareTable(of: group.schema) }
    isOneByOne = try engine.reservesOneByOne
    let retained = groups.map(\.retained)
    return try withExtendedLifetime(retained) {
      try saveMixed(retained)
      for group in groups { try StaleReads.refuse(group.schema) }
      return try retained.flatMap { try rows(of: $0) }
    }
  }

  private func saveMixed(_ groups: [RetainedObjects]) throws {
    let saver = GraphSaver(self)
    graph = saver
    defer { graph = nil }
    for group in groups {
      for index in 0..<group.count { saver.markExplicit(group[index], isReached: true) }
    }
    defer { lookAhead?.roots = nil }
    for group in groups {
      lookAhead?.roots = SavedRoots(count: group.count) { group[$0] }
      for index in 0..<group.count {
        lookAhead?.nextRoot = index + 1
        try saver.cancellation.count()
        _ = try saver.save(group[index])
      }
    }
    try saver.finish()
  }

  /// Returns the row IDs of objects that were saved, with the corrections of the engine.
  private func rows(of group: RetainedObjects) throws -> [ZIndex] {
    try (0..<group.count).map { index in
      let object = group[index]
      guard let identity = object.identity(inTransactionOf: store) else {
        throw MagicError(.notSaved, "The object was not saved.", type: object.schema.typeName)
      }
      return identity.zIndex
    }
  }

  /// Deletes the rows of objects of several types, in order.
  ///
  /// - Throws: as for objects of one type.
  package func remove(_ objects: [any MagicObject]) throws {
    for group in try ObjectGroups(objects).groups { try group.remove(in: self) }
  }

  /// Returns whether an object has a row in this database, with the changes of this transaction.
  ///
  /// - Throws: `MagicError` if its type cannot be stored.
  package func hasRow<Model: MagicObject>(_ object: Model) throws -> Bool {
    try ObjectSchema.of(Model.self).withReference(to: object) { object in
      guard let identity = object.identity(inTransactionOf: store), identity.store == store
      else { return false }
      return object.existingRecord.map { !log.removes($0) } ?? true
    }
  }
}

/// Consecutive objects of one type, for code that does not depend on the type.
private protocol ObjectGroup {
  var schema: ObjectSchema { get }
  /// The objects at stable addresses.
  var retained: RetainedObjects { get }
  var count: Int { get }

  func save(in transaction: ObjectTransaction, _ rules: SavingRules) throws -> [ZIndex]
  func remove(in transaction: ObjectTransaction) throws
}

private struct TypedGroup<Model: MagicObject>: ObjectGroup {
  let objects: [Model]
  let schema: ObjectSchema

  var count: Int { objects.count }
  var retained: RetainedObjects { RetainedArray(objects, schema: schema) }

  func save(in transaction: ObjectTransaction, _ rules: SavingRules) throws -> [ZIndex] {
    try transaction.save(objects, schema, rules)
  }

  func remove(in transaction: ObjectTransaction) throws {
    try transaction.remove(objects, schema)
  }
}

/// Objects of several types in their order, with consecutive objects of one type as a group. Each
/// object is cast to its type once.
private struct ObjectGroups {
  private(set) var groups: [any ObjectGroup] = []

  /// - Throws: `MagicError` if a type cannot be stored.
  init(_ objects: [any MagicObject]) throws {
    var rest = objects[...]
    while let first = rest.first { groups.append(try Self.group(like: first, &rest)) }
  }

  private static func group<Model: MagicObject>(
    like first: Model, _ rest: inout ArraySlice<any MagicObject>
  ) throws -> any ObjectGroup {
    let schema = try ObjectSchema.of(Model.self)
    var objects: [Model] = []
    while let next = rest.first as? Model {
      objects.append(next)
      rest.removeFirst()
    }
    return TypedGroup(objects: objects, schema: schema)
  }
}
