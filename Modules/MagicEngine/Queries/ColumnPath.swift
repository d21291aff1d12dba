package import MagicSchema

/// A property of a row, or of a row that to-one relationships refer to from there.
package struct ColumnPath: Sendable {
  /// The columns of the to-one relationships on the path, each in its own type.
  package let toOnes: [Int]
  /// The row that the path begins at, and the ordinal of its type.
  package let scope: RowScopeID
  package let type: Int
  /// The property in the type at the end of the path: a column, behind these a collection, behind
  /// these an inverse relationship; or ``rowID``.
  package let property: Int

  package static let rowID = -1

  /// A path has fewer to-one relationships: engines that join a table for each take some 64.
  static let lengthLimit = 64

  package init(toOnes: [Int] = [], scope: RowScopeID, type: Int, property: Int) {
    self.toOnes = toOnes
    self.scope = scope
    self.type = type
    self.property = property
  }

  /// The row ID of a row.
  package static func rowID(of schema: ObjectSchema, in scope: RowScopeID) -> ColumnPath {
    ColumnPath(scope: scope, type: schema.ordinal, property: rowID)
  }

  /// The columns of the to-one relationships and, behind them, the property.
  private var steps: [Int] { toOnes + [property] }

  /// The path that goes on where this one, of a to-one relationship, ends.
  package func appending(_ path: ColumnPath) -> ColumnPath {
    ColumnPath(toOnes: steps + path.toOnes, scope: scope, type: type, property: path.property)
  }
}
