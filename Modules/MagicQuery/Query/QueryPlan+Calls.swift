import MagicSchema

extension QueryPlan {
  func objects<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery {
    try PreparedQuery(type, self, .objects)
  }

  /// The call for one object.
  func first<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery {
    var plan = self
    plan.limit(to: min(limit ?? 1, 1))
    return try PreparedQuery(type, plan, .objects)
  }

  func count<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery {
    try PreparedQuery(type, unordered, .count)
  }

  func exists<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery {
    var plan = unordered
    plan.limit(to: min(limit ?? 1, 1))
    return try PreparedQuery(type, plan, .exists)
  }

  /// The same rows in any order.
  var unordered: QueryPlan {
    var plan = self
    plan.orders = []
    plan.isRandom = false
    return plan
  }
}

extension QueryPlan {
  /// The same rows, in an order only where it says which they are.
  private var rows: QueryPlan { isCut ? self : unordered }

  /// The calls that remove the rows: one that lists them, one that deletes them.
  func delete<Model: MagicObject>(
    _ type: Model.Type
  ) throws -> (list: PreparedQuery, delete: PreparedQuery) {
    (try PreparedQuery(type, rows, .rows), try PreparedQuery(type, rows, .delete))
  }

  /// The calls that change the rows, one after the other: where values are computed of other rows,
  /// they are computed before the first row changes.
  func update<Model: MagicObject>(
    _ type: Model.Type, _ assignments: [MagicAssignment<Model>]
  ) throws -> UpdateCalls {
    let schema = try ObjectSchema.of(type)
    var plan = rows
    var columns: [Int] = []
    for assignment in assignments {
      if let error = assignment.column.error { throw error }
      guard let column = assignment.column.ownColumn, schema.columns.indices.contains(column) else {
        throw MagicError(
          .invalidQuery, "An update sets columns of the type itself.", type: schema.typeName)
      }
      guard !columns.contains(column) else {
        throw MagicError(
          .invalidQuery, "An update sets a property twice.", type: schema.typeName,
          property: schema.columns[column].property)
      }
      columns.append(column)
      plan.selection.append(assignment.value)
    }
    guard !columns.isEmpty else {
      throw MagicError(.invalidQuery, "An update sets nothing.", type: schema.typeName)
    }
    guard try plan.selection.contains(where: { try $0.reachesOtherRows }) else {
      return UpdateCalls(compute: nil, change: try PreparedQuery(type, plan, .update(columns)))
    }
    return UpdateCalls(
      compute: try PreparedQuery(type, plan, .newValues(columns)),
      change: try PreparedQuery(type, QueryPlan(), .updateWithNewValues(columns)))
  }

  /// The call for one aggregate.
  func aggregate<Model: MagicObject>(
    _ type: Model.Type, _ operation: Operation, of code: ExpressionCode
  ) throws -> PreparedQuery {
    var plan = rows
    plan.selection = [ExpressionCode(operation, [code])]
    return try PreparedQuery(type, plan, .aggregates)
  }
}

extension QueryPlan {
  /// The call for one row of a selection.
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
