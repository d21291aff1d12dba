package import MagicSchema

/// A path from a row to a property of the row, or of a row that is reachable from it through to-one
/// relationships.
package struct ColumnPath: Sendable {
  /// The columns of the to-one relationships on the path, as indexes in their types.
  package let toOnes: [Int]
  /// The row at the start of the path, and the ordinal of its type.
  package let scope: RowScopeID
  package let type: Int
  /// The index of the property in the type at the end of the path, or ``rowID``. Columns have the
  /// first indexes, followed by collections and then inverse relationships.
  package let property: Int

  package static let rowID = -1

  /// The number of to-one relationships in a path must be less than this limit. An engine joins one
  /// table for each of them, and may support only about 64 tables in a statement.
  static let lengthLimit = 64

  package init(toOnes: [Int] = [], scope: RowScopeID, type: Int, property: Int) {
    self.toOnes = toOnes
    self.scope = scope
    self.type = type
    self.property = property
  }

  /// Creates the path to the row ID of a row.
  package static func rowID(of schema: ObjectSchema, in scope: RowScopeID) -> ColumnPath {
    ColumnPath(scope: scope, type: schema.ordinal, property: rowID)
  }

  /// The columns of the to-one relationships, followed by the property.
  private var steps: [Int] { toOnes + [property] }

  /// Appends a path to this path, which must end at a to-one relationship.
  package func appending(_ path: ColumnPath) -> ColumnPath {
    ColumnPath(toOnes: steps + path.toOnes, scope: scope, type: type, property: path.property)
  }
}
