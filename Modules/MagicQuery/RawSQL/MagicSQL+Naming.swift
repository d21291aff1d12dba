import MagicEngine
public import MagicSchema
import MagicStore

extension MagicSQL.StringInterpolation {
  /// Names a type's table, quoted. It may be given another name, and be a qualifier:
  /// `\(table: Person.self).\(column: \Person.$name)`.
  ///
  /// To a read, the table of a type that was never saved is a common table expression without rows;
  /// `main.` in front of it passes that by.
  public mutating func appendInterpolation<Model: MagicObject>(table type: Model.Type) {
    noting { statement in statement.append(tableOf: try ObjectSchema.of(type)) }
  }

  /// Names a property's column, quoted and without its table. A to-one's column holds the z-index of
  /// what it refers to; a collection has no column, its links have a table: `\(links:)`.
  ///
  /// The key path refers to a property of the type itself.
  public mutating func appendInterpolation<Model: MagicObject, Value>(
    column path: KeyPath<Model, MagicField<Value>>
  ) {
    noting { statement in
      let schema = try ObjectSchema.of(Model.self)
      guard let column = try schema.property(at: path) as? ColumnSchema else {
        throw MagicError(
          .invalidQuery,
          "The key path refers to no column. The links of a collection are a table, \\(links:).",
          type: schema.typeName)
      }
      statement.append(column, of: schema)
    }
  }

  /// Names the table of a collection's links, quoted. Its columns are `owner` and `target`, the
  /// z-indexes of the two ends, and `position` of a list or `key` of a dictionary.
  ///
  /// The key path refers to a collection of the type itself.
  public mutating func appendInterpolation<Model: MagicObject, Value>(
    links path: KeyPath<Model, MagicField<Value>>
  ) {
    noting { statement in
      let schema = try ObjectSchema.of(Model.self)
      guard let column = try schema.property(at: path) as? CollectionColumn else {
        throw MagicError(
          .invalidQuery, "The key path refers to no collection of objects.", type: schema.typeName)
      }
      statement.append(linksOf: column, of: schema)
    }
  }

  /// Appends a name of a type's, or keeps the mistake for the call that runs the SQL.
  private mutating func noting(_ body: (inout RawStatement) throws -> Void) {
    do {
      try body(&statement)
    } catch {
      statement.note(
        error as? MagicError
          ?? MagicError(.invalidQuery, "The type has no such name.", cause: error))
    }
  }
}
