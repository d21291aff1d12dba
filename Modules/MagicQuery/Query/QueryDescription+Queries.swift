import MagicEngine
package import MagicSchema

extension QueryDescription {
  func objects<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery {
    try PreparedQuery(type, self, .objects)
  }

  /// Returns the query for the first object.
  func first<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery {
    var plan = self
    plan.limit(to: min(limit ?? 1, 1))
    return try PreparedQuery(type, plan, .objects)
  }

  package func count<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery {
    try PreparedQuery(type, unordered, .count)
  }

  package func exists<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery {
    var plan = unordered
    plan.limit(to: min(limit ?? 1, 1))
    return try PreparedQuery(type, plan, .exists)
  }
}

extension QueryDescription {
  func delete<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery {
    try PreparedQuery(type, rows, .delete)
  }

  func update<Model: MagicObject>(
    _ type: Model.Type, _ assignments: [MagicAssignment<Model>]
  ) throws -> PreparedQuery {
    let schema = try ObjectSchema.of(type)
    var plan = rows
    var columns: [Int] = []
    for assignment in assignments {
      if let error = assignment.column.error { throw error }
      guard let column = assignment.column.tree.ownColumn, schema.columns.indices.contains(column)
      else {
        throw MagicError(
          .invalidQuery,
          "An update can set only columns of its own type, not of a related type or a collection.",
          type: schema.typeName)
      }
      guard !schema.columns[column].isRowID else {
        throw MagicError(
          .invalidQuery, "An update cannot set a primary that is the row ID.",
          type: schema.typeName, property: schema.columns[column].property)
      }
      guard column != schema.version else {
        throw MagicError(
          .invalidQuery,
          "An update cannot set a version. It increments the versions of the rows.",
          type: schema.typeName, property: schema.columns[column].property)
      }
      guard !columns.contains(column) else {
        throw MagicError(
          .invalidQuery, "An update sets the same property twice. Set it once.",
          type: schema.typeName,
          property: schema.columns[column].property)
      }
      columns.append(column)
      plan.selection.append(assignment.value)
    }
    guard !columns.isEmpty else {
      throw MagicError(
        .invalidQuery, "An update needs at least one assignment.", type: schema.typeName)
    }
    if let version = schema.version {
      columns.append(version)
      plan.selection.append(.nextVersion(of: schema, version))
    }
    return try PreparedQuery(type, plan, .update(columns))
  }

  /// Returns the query for one aggregate.
  func aggregate<Model: MagicObject>(
    _ type: Model.Type, _ function: AggregateFunction, of operand: QueryExpression
  ) throws -> PreparedQuery {
    var plan = rows
    plan.selection = [.aggregate(function, of: operand)]
    return try PreparedQuery(type, plan, .aggregates)
  }
}

extension QueryDescription {
  /// Returns the query for the first row of a selection.
  func firstTuple<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery {
    var plan = self
    if isDistinct || !groups.isEmpty {
      plan.limitGroups(to: min(groupLimit ?? 1, 1))
    } else {
      plan.limit(to: min(limit ?? 1, 1))
    }
    return try PreparedQuery(type, plan, .tuples)
  }
}

extension QueryExpression {
  /// Returns the version of a row that an update changes.
  fileprivate static func nextVersion(of schema: ObjectSchema, _ column: Int) -> QueryExpression {
    let path = ColumnPath(scope: .innermost, type: schema.ordinal, property: column)
    return .arithmetic(.add, QueryExpression(tree: .column(path)), QueryExpression(value: 1))
  }
}
