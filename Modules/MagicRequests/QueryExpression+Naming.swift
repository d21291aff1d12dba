package import MagicSchema

extension QueryExpression {
  /// The type that declares the property that the expression consists of, and the name of the property;
  /// nil for a computed expression.
  package var selectedProperty: (type: String, name: String)? {
    guard case .column(let path) = tree else { return nil }
    return path.declaration
  }

  /// Returns the expression of a query for error texts, such as `property Person.age`, `the sum of
  /// Person.age` or `expression 2 of the query of Person, which is computed from Person.age`.
  ///
  /// - Parameter number: the number of the expression in a tuple, from 1; nil if there is no other.
  package func name(number: Int?, in schema: ObjectSchema?) -> String {
    if let selectedProperty { return "property \(selectedProperty.type).\(selectedProperty.name)" }
    var properties: [String] = []
    tree.addProperties(to: &properties)
    let operands = properties.joined(separator: ", ")
    if case .aggregate(let function, .column) = tree { return "the \(function) of \(operands)" }
    let place = number.map { "expression \($0)" } ?? "the expression"
    let query = schema.map { " of the query of \($0.typeName)" } ?? " of the query"
    return operands.isEmpty ? place + query : "\(place)\(query), which is computed from \(operands)"
  }
}

extension ColumnPath {
  fileprivate var declaration: (type: String, name: String)? {
    guard property >= 0, let schema = try? endType else { return nil }
    let stored: [PropertySchema] = schema.columns + schema.collections
    guard stored.indices.contains(property) else { return nil }
    return (schema.typeName, stored[property].property)
  }
}

extension ExpressionTree {
  /// Adds the names of the properties of the expression. Each name appears once.
  fileprivate func addProperties(to names: inout [String]) {
    switch self {
    case .column(let path), .members(_, let path, _):
      if let name = path.declaration.map({ "\($0.type).\($0.name)" }), !names.contains(name) {
        names.append(name)
      }
    default: break
    }
    for part in parts { part.addProperties(to: &names) }
  }
}
