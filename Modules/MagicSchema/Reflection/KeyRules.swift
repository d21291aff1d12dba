import MagicRuntime

/// The rules that the properties of a key must satisfy.
enum KeyRules {
  static func column(
    at field: PropertyReference?, of columns: [ColumnSchema], _ type: any MagicObject.Type
  ) throws -> Int {
    guard let column = columns.firstIndex(where: { $0.template.storage === field?.storage }) else {
      throw refuse("The key contains a property that is not a column of the type.", type)
    }
    return column
  }

  static func check(_ key: [ColumnSchema], of type: any MagicObject.Type) throws {
    for (place, column) in key.enumerated() {
      if let reason = problem(of: column) { throw refuse(reason, type, column) }
      guard !key[..<place].contains(where: { $0 === column }) else {
        throw refuse("The key contains the property twice. Remove one of them.", type, column)
      }
    }
  }

  /// Returns the reason why a property cannot belong to a key; nil if it can.
  private static func problem(of column: ColumnSchema) -> String? {
    if column.isNullable {
      return
        "A property of a key cannot be nil. Declare it with @MagicValue, or remove it from key."
    }
    if column.role == .primary {
      return "The primary identifies an object alone. Remove it from key."
    }
    if column.collation != nil { return ColumnSchema.inexactIdentity }
    guard column.isLazy || column.isFile || column is VersionColumn else { return nil }
    return "A lazy property, an asset or a version cannot belong to a key. Remove it from key."
  }

  private static func refuse(
    _ message: String, _ type: any MagicObject.Type, _ column: ColumnSchema? = nil
  ) -> MagicError {
    MagicError(
      .invalidSchema, message, type: TypeName.unqualified(type), property: column?.property)
  }
}
