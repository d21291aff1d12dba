/// What a type must fulfil to have a table.
enum SchemaRules {
  /// SQLite's limit for the columns of a table, less the z-index.
  private static let columnLimit = 1_999

  static func check<Model: MagicObject>(_ columns: [ColumnSchema], of type: Model.Type) throws {
    func refuse(_ message: String, _ column: ColumnSchema? = nil) -> MagicError {
      MagicError(
        .invalidSchema, message, type: String(describing: type), property: column?.property)
    }

    guard !columns.isEmpty else { throw refuse("The type has no stored magic property.") }
    guard columns.count <= columnLimit else {
      throw refuse("The type has \(columns.count) magic properties; a table has \(columnLimit).")
    }
    guard columns.filter({ $0.role == .primary }).count <= 1 else {
      throw refuse("The type has more than one @PrimaryMagicValue.")
    }

    try checkName(Model.tableName, of: "table", refuse: { refuse($0) })
    guard !Model.tableName.lowercased().hasPrefix("magic_") else {
      throw refuse("Table names that begin with magic_ belong to the library.")
    }

    var names: [String: ColumnSchema] = [:]
    for column in columns {
      guard column.property != "zIndex", column.name.lowercased() != "z_index" else {
        throw refuse("The z-index is kept by the library; give the property another name.", column)
      }
      try checkName(column.name, of: "column", refuse: { refuse($0, column) })
      if let other = names.updateValue(column, forKey: column.name.lowercased()) {
        throw refuse(
          "The column name is taken by \(other.property): names differ in more than case.", column)
      }
      guard !(column.valueType is any RelationColumn.Type) else {
        throw refuse("Collections of objects are links, not values, and cannot be stored.", column)
      }
      guard !parts(of: column.valueType).contains(where: holdsObjects) else {
        throw refuse("Collections of collections of objects cannot be stored.", column)
      }
      if let former = column.formerName {
        try checkName(former, of: "former column", refuse: { refuse($0, column) })
        guard former.lowercased() != "z_index" else {
          throw refuse("The z-index is kept by the library and cannot be renamed.", column)
        }
      }
    }
  }

  private static func holdsObjects(_ type: Any.Type) -> Bool {
    type is any MagicObject.Type || parts(of: type).contains(where: holdsObjects)
  }

  private static func parts(of type: Any.Type) -> [Any.Type] {
    (type as? any CompositeValue.Type)?.parts ?? []
  }

  private static func checkName(
    _ name: String, of kind: String, refuse: (String) -> MagicError
  ) throws {
    guard !name.isEmpty else { throw refuse("The \(kind) name is empty.") }
    guard !name.utf8.contains(0) else { throw refuse("The \(kind) name holds a NUL character.") }
    guard !name.lowercased().hasPrefix("sqlite_") else {
      throw refuse("Names that begin with sqlite_ belong to SQLite.")
    }
  }
}
