import MagicEngine
package import MagicGraph
public import MagicSchema

/// A query for the objects of a type. The compiler checks the types of its properties and values.
///
/// ```swift
/// let adults = try await magic.query(Person.self)
///   .where(\.$age >= 18 && \.$petName == nil)
///   .order(by: \.$name)
///   .limit(10)
///   .all()
/// ```
///
/// A query is a value. Every builder method returns a new query, which can be stored, refined and
/// run any number of times. `MagicQuery(Person.self)` is not bound to a database: its method
/// `bound(to:)` returns it bound to a database, a transaction or a snapshot. Queries that
/// differ only in their values share one compiled statement for each connection. Values are always
/// bound, and are never part of the SQL.
///
/// Without `order(by:)` the order of the rows is unspecified.
public struct MagicQuery<Model: MagicObject, Source> {
  package internal(set) var plan: QueryDescription
  /// The relationships that are loaded in another way than they are declared.
  var loading: RelationshipLoading
  package let source: Source

  init(plan: QueryDescription, loading: RelationshipLoading = RelationshipLoading(), source: Source)
  {
    self.plan = plan
    self.loading = loading
    self.source = source
  }

  /// Returns the query that also loads a lazy relationship.
  package func adding(_ preload: any RelationshipPreload) -> Self {
    var query = self
    query.loading.preloads.append(preload)
    return query
  }

  package func with(_ change: (inout QueryDescription) -> Void) -> Self {
    var query = self
    change(&query.plan)
    return query
  }
}

extension MagicQuery: Sendable where Source: Sendable {}

/// The source of a query that is not bound to a database.
///
/// ```swift
/// let mixes = MagicQuery(Playlist.self)
///   .where(\.$owner.$name == "Ada")
///   .where { $0.$name.hasPrefix("M") && $0.$guests.contains { $0.$age > 30 } }
/// let found = try await mixes.bound(to: magic).all()
/// ```
public struct MagicUnbound: Sendable {}

extension MagicQuery where Source == MagicUnbound {
  /// Creates a query for all objects of a type that is not bound to a database.
  public init(_ type: Model.Type) {
    var plan = QueryDescription()
    plan.rowScopes = []
    plan.usesRoot = false
    self.init(plan: plan, source: MagicUnbound())
  }
}
