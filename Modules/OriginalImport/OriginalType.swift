import MagicSchema
import SQLiteTables

/// A type with the table and the columns from which its objects are read.
struct OriginalType {
  let schema: ObjectSchema
  /// The name of its table in the original file; nil if the file has none, because no object of the type
  /// was saved.
  let table: String?
  /// The columns of the type that the file has, with their names in the file. A type without a table has
  /// all of its columns, of which nothing is read.
  let columns: [(schema: ColumnSchema, name: String, form: OriginalForm)]
  let collections: [(schema: CollectionColumn, name: String)]

  /// Returns a collection by its name in the imported type.
  func collection(named name: String) -> (schema: CollectionColumn, name: String)? {
    collections.first { $0.schema.name == name }
  }

  /// Finds the types of a file, with everything that no type has. A type without a table is empty.
  ///
  /// - Throws: `MagicError` with `.invalidSchema` for a type that the file cannot become, and if no type
  ///   has a table.
  static func matching(
    _ schemas: [ObjectSchema], in file: OriginalFile
  ) throws -> (types: [OriginalType], losses: [String]) {
    var rest = file.columns
    var types: [OriginalType] = []
    var losses: [String] = []
    for schema in schemas {
      let names = [schema.typeName, schema.tableName] + schema.formerTableNames
      guard let table = names.first(where: { rest[$0] != nil }), let columns = rest[table] else {
        guard file.names.isDisjoint(with: names) else {
          throw MagicError(
            .invalidSchema,
            "Another type has the table with the name of the type, or the original library has not created "
              + "it.", type: schema.typeName)
        }
        types.append(try OriginalType(schema, table: nil, columns: []))
        continue
      }
      rest[table] = nil
      let type = try OriginalType(schema, table: table, columns: columns)
      types.append(type)
      let used = Set(type.columns.map(\.name) + type.collections.map(\.name))
      losses += columns.filter { !used.contains($0) }.map { "\(table).\($0)" }
    }
    guard types.isEmpty || file.columns.isEmpty || types.contains(where: { $0.table != nil }) else {
      throw MagicError(
        .invalidSchema,
        "The file has no table with the name of a type. Its tables are: "
          + file.columns.keys.sorted().joined(separator: ", ") + ".")
    }
    for type in types { try type.checkTargets(in: types) }
    return (types, (losses + rest.keys).sorted())
  }

  /// Checks that the types to which relationships refer are imported.
  private func checkTargets(in types: [OriginalType]) throws {
    func check(_ property: PropertySchema, _ target: ObjectSchema) throws {
      guard types.contains(where: { $0.schema === target }) else {
        throw MagicError(
          .invalidSchema,
          "The property refers to the type \(target.typeName), which is not imported.",
          type: schema.typeName, property: property.property)
      }
    }
    for case let toOne as ToOneColumn in columns.map(\.schema) {
      try check(toOne, try toOne.target)
    }
    for collection in collections { try check(collection.schema, try collection.schema.target) }
  }

  private init(_ schema: ObjectSchema, table: String?, columns names: [String]) throws {
    func name(_ property: PropertySchema) -> String? {
      // The original library names a column as Swift names the storage of a property wrapper.
      guard table != nil else { return "_" + property.property }
      return ([property.property, property.name] + property.formerNames).lazy.map { "_" + $0 }
        .first(where: names.contains)
    }
    func refusal(_ property: PropertySchema, _ reason: String) -> MagicError {
      MagicError(.invalidSchema, reason, type: schema.typeName, property: property.property)
    }
    for column in schema.columns {
      if column.isRowID {
        throw refusal(
          column, "A primary that is the row ID cannot be imported. Leave out the option rowID.")
      }
      guard column.role != .primary || name(column) != nil else {
        throw refusal(column, "The file has no column for the primary of the type.")
      }
    }
    let collections = schema.collections.filter { $0.through == nil && name($0) != nil }
    for collection in collections {
      guard table != nil, let keys = collection.makeKeys() else { continue }
      guard keys.keyType == String.self || keys.keyType == Int.self else {
        throw refusal(
          collection, "Keys of the type \(keys.keyType) cannot be imported; String and Int can.")
      }
    }
    self.schema = schema
    self.table = table
    columns = schema.columns.compactMap { column in
      name(column).map { (column, $0, OriginalForm(column)) }
    }
    self.collections = collections.compactMap { collection in
      name(collection).map { (collection, $0) }
    }
  }
}
