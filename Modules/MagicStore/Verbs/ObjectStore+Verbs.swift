public import Magical
public import MagicSchema

@available(*, noasync, message: "these calls block the thread: tasks use MagicData")
extension ObjectStore {
  /// Inserts or updates an object, durably when the call returns.
  ///
  /// An instance that was saved or fetched updates its row, also under a new primary value. A new
  /// instance updates the row that has its primary value, and inserts one where there is none or
  /// the type has no primary. Only what changed is written.
  ///
  /// - Returns: the object's z-index.
  /// - Throws: `MagicError`; nothing is stored then.
  @discardableResult
  public func update<Model: MagicObject>(_ object: Model) throws -> ZIndex {
    try writing { try $0.save(object, ObjectSchema.of(Model.self)) }
  }

  /// Inserts or updates objects in one transaction.
  ///
  /// - Returns: their z-indexes, in order.
  /// - Throws: `MagicError`; nothing is stored then.
  @discardableResult
  public func update<Model: MagicObject>(contentsOf objects: [Model]) throws -> [ZIndex] {
    try writing { try $0.save(objects, ObjectSchema.of(Model.self)) }
  }

  /// Removes an object.
  ///
  /// - Throws: `MagicError`, with `.notSaved` for an object that is not in the
  ///   database.
  public func remove<Model: MagicObject>(_ object: Model) throws {
    try writing { try $0.remove([object], ObjectSchema.of(Model.self)) }
  }

  /// Removes objects in one transaction.
  public func remove<Model: MagicObject>(contentsOf objects: [Model]) throws {
    try writing { try $0.remove(objects, ObjectSchema.of(Model.self)) }
  }

  /// Removes all objects of a type.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func removeAll<Model: MagicObject>(of type: Model.Type) throws -> Int {
    try writing { try $0.removeAll(ObjectSchema.of(type)) }
  }

  /// All objects of a type, in z-index order.
  public func objects<Model: MagicObject>(of type: Model.Type) throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    return try reading { try $0.objects(of: type, schema) }
  }

  /// The object with a primary value.
  ///
  /// - Throws: `MagicError`, with `.notFound` where there is none.
  public func object<Model: MagicObject>(
    of type: Model.Type, primary: some MagicalPrimaryValue
  ) throws -> Model {
    let schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Swift.type(of: primary))
    guard
      let object = try reading({ try $0.object(of: type, schema, primary: primary) })
    else { throw MagicError.noObject(schema) }
    return object
  }

  /// The objects with the given primary values, in their order, those that exist.
  public func objects<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primaries: [Primary]
  ) throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Primary.self)
    return try reading { try $0.objects(of: type, schema, primaries: primaries) }
  }

  /// The first object in z-index order that the body accepts; nil where there is none.
  ///
  /// - Complexity: O(n) in the objects before it.
  public func first<Model: MagicObject>(
    of type: Model.Type, where accepts: (Model) throws -> Bool
  ) throws -> Model? {
    let schema = try ObjectSchema.of(type)
    return try reading { try $0.first(of: type, schema, where: accepts) }
  }

  /// Whether there is an object with a primary value.
  public func has<Model: MagicObject>(
    of type: Model.Type, primary: some MagicalPrimaryValue
  ) throws -> Bool {
    let schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Swift.type(of: primary))
    return try reading { try $0.has(schema, primary: primary) }
  }

  private func writing<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    try checkOpen()
    return try shared.write(body)
  }

  private func reading<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
    try checkOpen()
    while true {
      do {
        return try shared.readBlocking(body)
      } catch let outdated as OutdatedTable {
        try shared.updateTable(of: outdated.schema)
      }
    }
  }
}

extension MagicError {
  package static func noObject(_ schema: ObjectSchema) -> MagicError {
    MagicError(.notFound, "There is no such object.", type: schema.typeName)
  }
}
