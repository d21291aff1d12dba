import CMagicRuntime
import MagicRuntime

/// The result of reflecting one instance of a type: its magic properties and their offsets.
///
/// The run time gives the properties and their names. The offset of a property is found by searching
/// the memory of the instance for the address of the property's box. No two properties have the
/// same box, so the result is unambiguous.
struct Reflection<Model: MagicObject> {
  let template: Model
  let columns: [ColumnSchema]
  let collections: [CollectionColumn]
  let reverses: [ReverseProperty]
  let indexes: [IndexSchema]
  let unresolvedIndexes: [UnresolvedIndex]
  /// The indexes of the columns of the key.
  let key: [Int]
  let migrations: Migrations
  let search: SearchSchema?
  /// The offsets of the columns, then the collections, then the inverse relationships.
  let offsets: [Int]
  let isClass: Bool

  init(of type: Model.Type) throws {
    let (template, collected) = Reflector.make(type)
    let properties = Self.properties(of: template)
    isClass = Model.self is AnyObject.Type

    let schemas = properties.map { name, property in
      let box = ObjectIdentifier(property.reference.storage)
      guard let relationship = collected.relationships[box] else {
        return property.schema(named: name, options: collected.options[box] ?? [])
      }
      return property.collection(named: name, through: relationship)
    }
    try SchemaRules.check(schemas, of: type)
    migrations = Reflector.withoutSchema(of: type) { Model.migrations }
    try MigrationRules.check(migrations) {
      MagicError(.invalidMigration, $0, type: TypeName.unqualified(type))
    }
    columns = schemas.compactMap { $0 as? ColumnSchema }
    collections = schemas.compactMap { $0 as? CollectionColumn }
    reverses = schemas.compactMap { $0 as? ReverseProperty }
    let declaration = Model.search
    try SearchSchema.check(declaration, of: type)
    search = SearchSchema(columns, declaration)
    let order: [PropertySchema] = columns + collections + reverses
    offsets = try Self.offsets(of: order.map(\.template), in: template, isClass: isClass)
    ((indexes, unresolvedIndexes), key) = try Reflector.withoutSchema(of: type) { [columns] in
      let key = try Self.key(columns: columns, template: template)
      return (try Self.indexes(columns: columns, key: key, template: template), key)
    }
    self.template = template
  }

  func makeSchema(ordinal: Int) -> ObjectSchema {
    ObjectSchema(
      template: template, columns: columns, collections: collections, reverses: reverses,
      indexes: indexes, unresolvedIndexes: unresolvedIndexes, key: key, migrations: migrations,
      search: search, isClass: isClass, offsets: offsets, ordinal: ordinal)
  }

  private static func properties(
    of template: Model
  ) -> [(name: String, property: any MagicProperty)] {
    InstanceProperty.all(of: template).compactMap { stored in
      (stored.value as? any MagicProperty).map { (stored.wrappedName, $0) }
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
      let addresses = Set(properties.map { address(of: $0.storage) })
      var offset = 0
      // The search in a class instance ends with the last property, that in a struct at the end of
      // the struct.
      while !isClass || found.count < addresses.count, offset <= size - MemoryLayout<UInt>.size {
        let word = start.load(fromByteOffset: offset, as: UInt.self)
        if addresses.contains(word) {
          guard found.updateValue(offset, forKey: word) == nil else {
            throw MagicError(
              .invalidSchema,
              "Two magic properties share one value. Do not assign a property wrapper to another.",
              type: TypeName.unqualified(Model.self))
          }
        }
        offset += MemoryLayout<UInt>.alignment
      }
      return try properties.map { property in
        guard let offset = found[address(of: property.storage)] else {
          throw MagicError(
            .invalidSchema, "A magic property is not stored in the object itself.",
            type: TypeName.unqualified(Model.self))
        }
        return offset
      }
    }
  }

  private static func address(of storage: PropertyStorage) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(storage).toOpaque())
  }

  /// Returns the indexes of the columns of the key.
  private static func key(columns: [ColumnSchema], template: Model) throws -> [Int] {
    guard let index = Model.key.index else { return [] }
    let fields = Reflector.evaluating { index.fields(template) }
    let key = try fields.map { field in
      try KeyRules.column(at: field, of: columns, Model.self)
    }
    try KeyRules.check(key.map { columns[$0] }, of: Model.self)
    return key
  }

  /// Returns the indexes of columns, in the order of the columns, then the indexes that the type
  /// declares, then that of the key.
  private static func indexes(
    columns: [ColumnSchema], key: [Int], template: Model
  ) throws -> ([IndexSchema], [UnresolvedIndex]) {
    let table = Model.tableName
    var unresolved: [UnresolvedIndex] = []
    var indexes = columns.filter { $0.isUnique || $0.isIndexed }
      .map { IndexSchema(table: table, columns: [$0.name], isUnique: $0.isUnique) }
    for index in Model.indexes {
      let names = try Reflector.evaluating { index.fields(template) }.map { field in
        guard let column = columns.first(where: { $0.template.storage === field?.storage }) else {
          throw MagicError(
            .invalidSchema, "An index contains a property that is not a column of the type.",
            type: TypeName.unqualified(Model.self))
        }
        return column.name
      }
      if let make = index.computed {
        unresolved.append(UnresolvedIndex(columns: names, isUnique: index.isUnique, make: make))
        continue
      }
      guard !names.isEmpty else {
        throw MagicError(
          .invalidSchema, "An index contains no property. Add a property or remove the index.",
          type: TypeName.unqualified(Model.self))
      }
      let schema = IndexSchema(table: table, columns: names, isUnique: index.isUnique)
      if !indexes.contains(where: { $0.columns == names && $0.isUnique == schema.isUnique }) {
        indexes.append(schema)
      }
    }
    guard !key.isEmpty else { return (indexes, unresolved) }
    let own = IndexSchema(table: table, columns: key.map { columns[$0].name }, isUnique: true)
    return (indexes.contains(own) ? indexes : indexes + [own], unresolved)
  }
}
