import MagicEngine
import MagicSchema

/// The property that an expression selects, for error texts.
struct SelectedProperty {
  /// The type that declares the property, and its name; nil for a computed expression.
  private let declared: (type: String, name: String)?
  private let error: MagicError?

  /// - Parameter model: the type of the query's rows.
  init(_ expression: QueryExpression, of model: any MagicObject.Type) {
    error = expression.error
    guard case .column(let path) = expression.tree, let schema = try? ObjectSchema.of(model),
      schema.ordinal == path.type
    else {
      declared = nil
      return
    }
    declared = Self.property(at: path, in: schema)
  }

  /// Follows the to-one relationships of a path to its property.
  private static func property(
    at path: ColumnPath, in schema: ObjectSchema
  ) -> (type: String, name: String)? {
    var schema = schema
    for step in path.toOnes {
      guard schema.columns.indices.contains(step),
        let target = try? (schema.columns[step] as? ToOneColumn)?.target
      else { return nil }
      schema = target
    }
    let stored: [PropertySchema] = schema.columns + schema.collections
    guard stored.indices.contains(path.property) else { return nil }
    return (schema.typeName, stored[path.property].property)
  }

  /// Returns the error for a property whose values are not values of a column.
  func refusal<Value>(_ type: Value.Type) -> MagicError {
    if let error { return error }
    let name = declared.map { "property \($0.type).\($0.name)" } ?? "a selected expression"
    return MagicError(
      .invalidQuery,
      "A query can select only values of columns, but \(name) is of type \(type). To read an "
        + "object, select its properties, or fetch the objects.",
      type: declared?.type, property: declared?.name)
  }
}
