package import MagicSchema

/// A path from a row to a property of the row, or of a row that is reachable from it through to-one
/// relationships.
package struct ColumnPath: Sendable {
  /// The columns of the to-one relationships on the path, as indexes in their types.
  package let toOnes: [Int]
  /// The row at the start of the path, and the ordinal of its type.
  package let scope: RowScopeID
  package let type: Int
  /// The index of the property in the type at the end of the path, ``rowID``, ``depth`` or
  /// ``score``. Columns
  /// have the first indexes, followed by collections and then inverse relationships.
  package let property: Int

  package static let rowID = -1
  /// The depth of the row in the traversal of its query.
  package static let depth = -2
  /// The score of the row in the search of its query.
  package static let score = -3

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

  /// Creates the path to the depth of a row.
  package static func depth(of schema: ObjectSchema, in scope: RowScopeID) -> ColumnPath {
    ColumnPath(scope: scope, type: schema.ordinal, property: depth)
  }

  /// The type of the row at the end of the path; nil if the path is not one of its type.
  package var endType: ObjectSchema? {
    get throws {
      var schema = ObjectSchema.numbered(type)
      for toOne in toOnes {
        guard let columns = schema?.columns, columns.indices.contains(toOne),
          let column = columns[toOne] as? ToOneColumn
        else { return nil }
        schema = try column.target
      }
      return schema
    }
  }

  /// Creates the path to the score of a row.
  package static func score(of schema: ObjectSchema, in scope: RowScopeID) -> ColumnPath {
    ColumnPath(scope: scope, type: schema.ordinal, property: score)
  }

  /// The columns of the to-one relationships, followed by the property.
  private var steps: [Int] { toOnes + [property] }

  /// Appends a path to this path, which must end at a to-one relationship, or at the row itself.
  package func appending(_ path: ColumnPath) -> ColumnPath {
    let start = property == Self.rowID ? toOnes : steps
    return ColumnPath(
      toOnes: start + path.toOnes, scope: scope, type: type, property: path.property)
  }
}
