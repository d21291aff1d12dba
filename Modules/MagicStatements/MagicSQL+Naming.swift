import MagicEngine
public import MagicSchema
import MagicStore

extension MagicSQL.StringInterpolation {
  /// Appends the quoted name of a type's table. The SQL may add an alias to the name, or use it as
  /// a qualifier: `\(table: Person.self).\(column: \Person.$name)`.
  ///
  /// For a read, the table of a type that was never saved is a common table expression without
  /// rows. The qualifier `main.` before the name bypasses the common table expression.
  public mutating func appendInterpolation<Model: MagicObject>(table type: Model.Type) {
    recordingErrors { statement in statement.append(tableOf: try ObjectSchema.of(type)) }
  }

  /// Appends the quoted name of a property's column. If another table that the statement names has a
  /// column of the same name, the name or alias of the type's table precedes it. The column of a
  /// to-one relationship holds the row ID of the object that it refers to. A collection has no
  /// column; it has a join table, which `\(links:)` names.
  ///
  /// Only tables that `\(table:)` and `\(links:)` name are considered. If the statement names the
  /// table of the type more than once, an ambiguous column throws `.invalidQuery`: name the alias.
  ///
  /// The key path must refer to a property of the type itself.
  public mutating func appendInterpolation<Model: MagicObject, Value>(
    column path: KeyPath<Model, MagicField<Value>>
  ) {
    append(path, of: nil)
  }

  /// Appends the quoted name of a property's column after the alias of its table, or after its
  /// name: `\(column: \Person.$name, of: "p")`.
  public mutating func appendInterpolation<Model: MagicObject, Value>(
    column path: KeyPath<Model, MagicField<Value>>, of alias: String
  ) {
    append(path, of: alias)
  }

  private static func columnIndex<Model: MagicObject, Value>(
    at path: KeyPath<Model, MagicField<Value>>, of schema: ObjectSchema
  ) throws -> Int {
    guard let column = try schema.property(at: path) as? ColumnSchema,
      let index = schema.columns.firstIndex(where: { $0 === column })
    else {
      throw MagicError(
        .invalidQuery,
        "The key path does not refer to a column. For a collection, use \\(links:) to name its "
          + "join table.",
        type: schema.typeName)
    }
    return index
  }

  mutating func append<Model: MagicObject, Value>(
    _ path: KeyPath<Model, MagicField<Value>>, of alias: String?
  ) {
    recordingErrors { statement in
      let schema = try ObjectSchema.of(Model.self)
      let index = try Self.columnIndex(at: path, of: schema)
      statement.append(column: index, of: schema, qualifiedBy: alias)
    }
  }

  /// Appends the quoted name of a collection's join table. Its columns are `owner` and `target`,
  /// the row IDs of the two objects, and `position` for an array or `key` for a dictionary.
  ///
  /// An owned list has no join table. SQL can read it under this name, with the same columns, but not
  /// write to it. For a collection through a join type, the name is that of the type's table, with
  /// the columns of its properties.
  ///
  /// The key path must refer to a collection of the type itself.
  public mutating func appendInterpolation<Model: MagicObject, Value>(
    links path: KeyPath<Model, MagicField<Value>>
  ) {
    recordingErrors { statement in
      let schema = try ObjectSchema.of(Model.self)
      guard let column = try schema.property(at: path) as? CollectionColumn else {
        throw MagicError(
          .invalidQuery, "The key path does not refer to a collection of objects.",
          type: schema.typeName)
      }
      statement.append(linksOf: column, of: schema)
    }
  }

  /// Runs a body that appends a name. The call that runs the statement throws the error of the
  /// body.
  mutating func recordingErrors(_ body: (inout RawStatement) throws -> Void) {
    do {
      try body(&statement)
    } catch {
      statement.note(
        error as? MagicError
          ?? MagicError(.invalidQuery, "The interpolated name cannot be resolved.", cause: error))
    }
  }
}
