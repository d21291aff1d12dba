package import MagicSchema
import MagicSQLite

extension StoreConnection {
  /// The owners whose relationship leads to a row, in z-index order, behind one of them.
  package func owners<Model: MagicObject>(
    _ type: Model.Type, _ schema: ObjectSchema, of target: ZIndex, along property: PropertySchema,
    behind last: Int64?, limit: Int
  ) throws -> [Model] {
    try consistently(schema) {
      guard let statements = try statements(of: schema) else { return [] }
      let select = try statements.selectOwners(along: property)
      try select.bind(target.rawValue, at: 1)
      try select.bind(last ?? Int64.min, at: 2)
      try select.bind(Int64(limit), at: 3)
      return try objects(of: type, statements, select)
    }
  }

  /// How many owners' relationship leads to a row.
  package func countOwners(
    of target: ZIndex, along property: PropertySchema, _ schema: ObjectSchema
  ) throws -> Int {
    guard let statements = try statements(of: schema) else { return 0 }
    let count = try statements.countOwners(along: property)
    defer { count.reset() }
    try count.bind(target.rawValue, at: 1)
    return try count.step() ? Int(count.column(0).integer) : 0
  }
}
