import MagicEngine
import MagicGraph
package import Magical
package import MagicSchema
package import MagicStore

extension MagicQuery {
  /// Of the rows the one with a z-index.
  package func row(_ zIndex: ZIndex) -> Self {
    row { _ in (ColumnPath.rowID, QueryExpression(value: zIndex)) }
  }

  /// Of the rows the one with a primary value.
  package func row(primary: some MagicalPrimaryValue) -> Self {
    row { schema in
      try schema.checkPrimary(Swift.type(of: primary))
      return (schema.primary ?? ColumnPath.rowID, QueryExpression(value: primary))
    }
  }

  /// Of the rows the one that an object is now, which stays the one when it is removed.
  package func row(of object: Model, in store: MagicObjectStore) -> Self {
    guard let identity = object.rowIdentity, identity.store == store.database.token else {
      // It is none, which is thrown when the query runs.
      return row { _ in (ColumnPath.rowID, QueryExpression(value: object)) }
    }
    return row(identity.zIndex)
  }

  /// - Parameter key: a column of the type, or the row ID, and its value.
  private func row(where key: (ObjectSchema) throws -> (column: Int, value: QueryExpression))
    -> Self
  {
    do {
      let schema = try ObjectSchema.of(Model.self)
      let (place, value) = try key(schema)
      let column = QueryExpression(
        tree: .column(ColumnPath(scope: .root, type: schema.ordinal, property: place)))
      return with { $0.restrict(to: .comparison(.equal, column, value)) }
    } catch {
      return with { $0.restrict(to: QueryExpression(error)) }
    }
  }
}
