public import Foundation
import MagicEngine
public import MagicSchema

extension MagicSQL.StringInterpolation {
  /// Appends the row ID and all columns of a type, separated by commas: `SELECT \(row: Person.self)`.
  ///
  /// The names are qualified as those of `\(column:)`.
  public mutating func appendInterpolation<Model: MagicObject>(row type: Model.Type) {
    append(rowOf: type, nil)
  }

  /// Appends the row ID and all columns of a type after the alias of its table, separated by commas.
  public mutating func appendInterpolation<Model: MagicObject>(
    row type: Model.Type, of alias: String
  ) {
    append(rowOf: type, alias)
  }

  private mutating func append<Model: MagicObject>(rowOf type: Model.Type, _ alias: String?) {
    recordingErrors { statement in
      let schema = try ObjectSchema.of(type)
      statement.append(column: ColumnPath.rowID, of: schema, qualifiedBy: alias)
      for (index, column) in schema.columns.enumerated() where !column.isRowID {
        statement.text += ", "
        statement.append(column: index, of: schema, qualifiedBy: alias)
      }
    }
  }
}

/// Dates. A date is stored as the number of seconds since the beginning of 2001, UTC.
extension MagicSQL.StringInterpolation {
  /// Appends a date as the number of seconds since 1970, UTC, for functions that expect it.
  ///
  /// - Parameter alias: the alias of the table; nil for the same rules as `\(column:)`.
  public mutating func appendInterpolation<Model: MagicObject>(
    unixTime path: KeyPath<Model, MagicField<Date>>, of alias: String? = nil
  ) {
    append(unixTime: path, alias)
  }

  /// Appends an optional date as the number of seconds since 1970, UTC, or NULL.
  public mutating func appendInterpolation<Model: MagicObject>(
    unixTime path: KeyPath<Model, MagicField<Date?>>, of alias: String? = nil
  ) {
    append(unixTime: path, alias)
  }

  /// Appends a date as text in UTC: `\(date: \Order.$placed, format: "%Y-%m")`.
  ///
  /// - Parameters:
  ///   - format: the format of the database's function `strftime`.
  ///   - alias: the alias of the table; nil for the same rules as `\(column:)`.
  public mutating func appendInterpolation<Model: MagicObject>(
    date path: KeyPath<Model, MagicField<Date>>, format: String, of alias: String? = nil
  ) {
    append(date: path, format, alias)
  }

  /// Appends an optional date as text in UTC, or NULL.
  public mutating func appendInterpolation<Model: MagicObject>(
    date path: KeyPath<Model, MagicField<Date?>>, format: String, of alias: String? = nil
  ) {
    append(date: path, format, alias)
  }

  private mutating func append<Model: MagicObject, Value>(
    unixTime path: KeyPath<Model, MagicField<Value>>, _ alias: String?
  ) {
    statement.text += "("
    append(path, of: alias)
    statement.text += " + \(Date.timeIntervalBetween1970AndReferenceDate))"
  }

  private mutating func append<Model: MagicObject, Value>(
    date path: KeyPath<Model, MagicField<Value>>, _ format: String, _ alias: String?
  ) {
    // A literal, because a bound format is another expression in each clause: a statement could not
    // group by it and select it.
    statement.text += "strftime(\(format.literal), "
    append(unixTime: path, alias)
    statement.text += ", 'unixepoch')"
  }
}
