import MagicSchema

extension QueryPlan {
  func objects<Model: MagicObject>(_ type: Model.Type) throws -> QueryCall {
    try QueryCall(type, self, .objects)
  }

  /// The call for one object.
  func first<Model: MagicObject>(_ type: Model.Type) throws -> QueryCall {
    var plan = self
    plan.limit(to: min(limit ?? 1, 1))
    return try QueryCall(type, plan, .objects)
  }

  func count<Model: MagicObject>(_ type: Model.Type) throws -> QueryCall {
    try QueryCall(type, unordered, .count)
  }

  func exists<Model: MagicObject>(_ type: Model.Type) throws -> QueryCall {
    var plan = unordered
    plan.limit(to: min(limit ?? 1, 1))
    return try QueryCall(type, plan, .exists)
  }

  /// The same rows in any order.
  var unordered: QueryPlan {
    var plan = self
    plan.orders = []
    plan.isRandom = false
    return plan
  }
}
