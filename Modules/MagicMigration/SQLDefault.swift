import MagicEngine
package import MagicSchema
import Magical
import SQLiteTables

/// The value that a row which has none gets, as SQL.
package enum SQLDefault {
  /// An expression.
  case expression(String)
  /// The name of a file that is to be written.
  case file
  /// There is none, and NULL does.
  case null
  /// There is none, and NULL does not do.
  case missing

  package enum Use {
    /// In the definition of a column: a literal alone, which may be a neighbour of a real number.
    case definition
    /// In rows that are written: a primary without a default is made.
    case rows
    /// In rows that are read.
    case reading
  }

  /// - Throws: `MagicError` with `.cannotEncode` where the default has no stored form.
  package init(
    of column: ColumnSchema, in schema: ObjectSchema, for use: Use, _ rows: any RowQueries
  ) throws {
    if column.isFile {
      switch column.capture(column.template, in: StoreToken(rawValue: 0), marking: { _ in }).state {
      case .unset, .lost: self = column.isNullable ? .null : .missing
      case .none: self = .expression("''")
      case .content: self = .file
      }
      return
    }
    var writer = LiteralWriter()
    let hasDefault = try namingProperty(schema, column) {
      try !(column is ToOneColumn) && column.write(column.template, to: &writer)
    }
    if hasDefault {
      let text = try use == .definition ? writer.literal : writer.expression(rows)
      self = text.map { .expression($0) } ?? .missing
    } else if use == .rows, let generated = Self.generated(for: column) {
      self = .expression(generated)
    } else {
      self = column.isNullable ? .null : .missing
    }
  }

  /// What a primary without a default gets in every row: its own.
  private static func generated(for column: ColumnSchema) -> String? {
    guard column.role == .primary else { return nil }
    switch column.codec {
    case .int: return TableSQL.zIndex.quoted
    case .string, .uuid:
      return "hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || "
        + "substr(hex(randomblob(2)), 2) || '-' || substr('89AB', 1 + abs(random() % 4), 1) || "
        + "substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))"
    default: return nil
    }
  }
}
