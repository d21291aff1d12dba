import CMagicRuntime

/// What one look at an instance of a type shows: its magic properties, and where they lie.
///
/// The properties come from `Mirror`, by name. Where each lies is found by looking for its box's
/// address in the instance's memory: no two properties have the same box, so the place is certain.
struct Reflection<Model: MagicObject> {
  let template: Model
  let columns: [ColumnSchema]
  let collections: [CollectionColumn]
  let reverses: [ReverseProperty]
  let indexes: [IndexSchema]
  let migrations: Migrations
  /// Of the columns, the collections and the reverse properties, in that order.
  let offsets: [Int]
  let isClass: Bool

  init(of type: Model.Type) throws {
    let (template, options) = Reflector.make(type)
    let properties = Self.properties(of: Mirror(reflecting: template))
    isClass = Model.self is AnyObject.Type

    let schemas = properties.map { name, property in
      let box = property.reference.storage
      return property.schema(named: name, options: options[ObjectIdentifier(box)] ?? [])
    }
    try SchemaRules.check(schemas, of: type)
    migrations = Reflector.withoutSchema(of: type) { Model.migrations }
    try MigrationRules.check(migrations) {
      MagicError(.invalidMigration, $0, type: TypeName.unqualified(type))
    }
    columns = schemas.compactMap { $0 as? ColumnSchema }
    collections = schemas.compactMap { $0 as? CollectionColumn }
    reverses = schemas.compactMap { $0 as? ReverseProperty }
    let order: [PropertySchema] = columns + collections + reverses
    offsets = try Self.offsets(of: order.map(\.template), in: template, isClass: isClass)
    indexes = try Reflector.withoutSchema(of: type) { [columns] in
      try Self.indexes(columns: columns, template: template)
    }
    self.template = template
  }

  func makeSchema(ordinal: Int) -> ObjectSchema {
    ObjectSchema(
      template: template, columns: columns, collections: collections, reverses: reverses,
      indexes: indexes, migrations: migrations, isClass: isClass, offsets: offsets,
      ordinal: ordinal)
  }

  private static func properties(
    of mirror: Mirror
  ) -> [(name: String, property: any MagicProperty)] {
    let inherited = mirror.superclassMirror.map { properties(of: $0) } ?? []
    return inherited
      + mirror.children.compactMap { label, value in
        guard let property = value as? any MagicProperty, var name = label else { return nil }
        // A wrapper lies in a property named like the wrapped one, with an underscore before it.
        if name.hasPrefix("_") { name.removeFirst() }
        return (name, property)
      }
  }

  private static func offsets(
    of properties: [PropertyReference], in template: Model, isClass: Bool
  ) throws -> [Int] {
    try withUnsafeBytes(of: template) { instance in
      let start: UnsafeRawPointer?
      if isClass {
        start = instance.load(as: UnsafeRawPointer?.self)
      } else {
        start = instance.baseAddress
      }
      guard let start else { return [] }
      let size = isClass ? magic_allocation_size(start) : instance.count
      var found: [UInt: Int] = [:]
      let wanted = Set(properties.map { address(of: $0.storage) })
      var offset = 0
      // An instance of a class is searched to its last property, a struct to its end.
      while !isClass || found.count < wanted.count, offset <= size - MemoryLayout<UInt>.size {
        let word = start.load(fromByteOffset: offset, as: UInt.self)
        if wanted.contains(word) {
          guard found.updateValue(offset, forKey: word) == nil else {
            throw MagicError(
              .invalidSchema, "A magic property lies in the object twice.",
              type: TypeName.unqualified(Model.self))
          }
        }
        offset += MemoryLayout<UInt>.alignment
      }
      return try properties.map { property in
        guard let offset = found[address(of: property.storage)] else {
          throw MagicError(
            .invalidSchema, "A magic property does not lie in the object itself.",
            type: TypeName.unqualified(Model.self))
        }
        return offset
      }
    }
  }

  private static func address(of storage: PropertyStorage) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(storage).toOpaque())
  }

  /// The primary's index first, then those of single properties, then those the type declares.
  private static func indexes(columns: [ColumnSchema], template: Model) throws -> [IndexSchema] {
    let table = Model.tableName
    var indexes = columns.filter { $0.isUnique || $0.isIndexed }
      .map { IndexSchema(table: table, columns: [$0.name], isUnique: $0.isUnique) }
    for index in Model.indexes {
      let names = try Reflector.evaluating { index.fields(template) }.map { field in
        guard let column = columns.first(where: { $0.template.storage === field?.storage }) else {
          throw MagicError(
            .invalidSchema, "An index names a property that is not the type's own.",
            type: TypeName.unqualified(Model.self))
        }
        return column.name
      }
      guard !names.isEmpty else {
        throw MagicError(
          .invalidSchema, "An index names no property.", type: TypeName.unqualified(Model.self))
      }
      let schema = IndexSchema(table: table, columns: names, isUnique: index.isUnique)
      if !indexes.contains(where: { $0.columns == names && $0.isUnique == schema.isUnique }) {
        indexes.append(schema)
      }
    }
    return indexes
  }
}
