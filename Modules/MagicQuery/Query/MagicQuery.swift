package import MagicEngine
public import MagicSchema

/// A query for the objects of a type, checked by the compiler.
///
/// It is a value: every builder gives a new one, which can be kept, refined and run any number of
/// times. `MagicQuery(Person.self)` belongs to no database yet; ``MagicStore/MagicDatabaseReader`` and
/// its kin run it with `query(_:)`. Each shape of a query is compiled once for each connection, and
/// values are always bound, never part of the SQL.
///
/// Without `order(by:)` the order of the rows is not promised.
public struct MagicQuery<Model: MagicObject, Source> {
  package internal(set) var plan: QueryDescription
  package let source: Source

  init(plan: QueryDescription, source: Source) {
    self.plan = plan
    self.source = source
  }

  func with(_ change: (inout QueryDescription) -> Void) -> Self {
    var query = self
    change(&query.plan)
    return query
  }
}

extension MagicQuery: Sendable where Source: Sendable {}

/// The source of a query that belongs to no database.
public struct MagicUnbound: Sendable {}

extension MagicQuery where Source == MagicUnbound {
  /// All objects of a type, of no database yet.
  public init(_ type: Model.Type) {
    self.init(plan: QueryDescription(), source: MagicUnbound())
  }
}
