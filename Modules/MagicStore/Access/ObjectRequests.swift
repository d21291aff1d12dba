import MagicSchema
import Magical
import SQLiteEngine
import SQLiteTables

/// All objects of a type.
struct AllObjects<Model: MagicObject>: ReadRequest {
  private let schema: ObjectSchema

  init(of type: Model.Type) throws { schema = try ObjectSchema.of(type) }

  func read(on connection: StoreConnection) throws -> [Model] {
    try connection.objects(of: Model.self, schema)
  }
}

/// The object with a primary value.
struct ObjectByPrimary<Model: MagicObject, Primary: MagicalPrimaryValue>: ReadRequest {
  private let schema: ObjectSchema
  private let primary: Primary

  init(of type: Model.Type, _ primary: Primary) throws {
    schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Primary.self)
    self.primary = primary
  }

  func read(on connection: StoreConnection) throws -> Model {
    let object = try connection.object(of: Model.self, schema, primary: primary)
    guard let object else { throw MagicError.noObject(schema) }
    return object
  }
}

/// The objects with the given primary values, in their order, those that exist.
struct ObjectsByPrimaries<Model: MagicObject, Primary: MagicalPrimaryValue>: ReadRequest {
  private let schema: ObjectSchema
  private let primaries: [Primary]

  init(of type: Model.Type, _ primaries: some Sequence<Primary>) throws {
    schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Primary.self)
    self.primaries = Array(primaries)
  }

  func read(on connection: StoreConnection) throws -> [Model] {
    try connection.objects(of: Model.self, schema, primaries: primaries)
  }
}

/// Whether there is an object with a primary value.
struct PrimaryExists<Model: MagicObject, Primary: MagicalPrimaryValue>: ReadRequest {
  private let schema: ObjectSchema
  private let primary: Primary

  init(of type: Model.Type, _ primary: Primary) throws {
    schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Primary.self)
    self.primary = primary
  }

  func read(on connection: StoreConnection) throws -> Bool {
    try connection.has(schema, primary: primary)
  }
}
