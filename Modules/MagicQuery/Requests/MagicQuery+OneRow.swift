import MagicEngine
import MagicGraph
package import Magical
import MagicSchema
package import MagicStore

extension MagicQuery {
  /// Returns the query restricted to the row with a row ID.
  package func row(_ zIndex: ZIndex) -> Self {
    row { _ in (ColumnPath.rowID, QueryExpression(value: zIndex)) }
  }

  /// Returns the query restricted to the row with a primary value.
  package func row(primary: some MagicalPrimaryValue) -> Self {
    row { schema in
      try schema.checkPrimary(Swift.type(of: primary))
      return (schema.primary ?? ColumnPath.rowID, QueryExpression(value: primary))
    }
  }

  /// Returns the query restricted to the row in which an object is stored now. The query keeps the
  /// row ID when the object is removed.
  package func row(of object: Model, in store: MagicObjectStore) -> Self {
    guard let identity = object.rowIdentity, identity.store == store.database.token else {
      // The object has no row in this database: the query throws when it runs.
      return row { _ in (ColumnPath.rowID, QueryExpression(value: object)) }
    }
    return row(identity.zIndex)
  }

  /// - Parameter key: returns a column of the type, or the row ID, and its value.
  private func row(where key: (ObjectSchema) throws -> (column: Int, value: QueryExpression))
    -> Self
  {
    do {
      let schema = try ObjectSchema.of(Model.self)
      let (property, value) = try key(schema)
      let column = QueryExpression(
        tree: .column(ColumnPath(scope: .root, type: schema.ordinal, property: property)))
      return with { $0.restrict(to: .comparison(.equal, column, value)) }
    } catch {
      return with { $0.restrict(to: QueryExpression(error)) }
    }
  }
}
