import MagicEngine
package import MagicSchema
import Magical
import SQLiteTables

/// The SQL for the default value of a column in existing rows.
package enum SQLDefault {
  /// An expression.
  case expression(String)
  /// The name of a file that must be written first.
  case file
  /// There is no default, and the column accepts NULL.
  case null
  /// There is no default, and the column does not accept NULL.
  case missing

  /// The place where the default is used.
  package enum Use {
    /// In the definition of a column. Only a literal is allowed there; SQLite may read it as a
    /// floating-point number adjacent to the default.
    case definition
    /// In rows that are written. For a primary property without a default, a value is generated.
    case rows
    /// In rows that are read.
    case reading
  }

  /// - Throws: `MagicError` with `.cannotEncode` if the default has no stored form.
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

  /// Returns an expression that generates a unique value of a primary property for each row.
  private static func generated(for column: ColumnSchema) -> String? {
    guard column.role == .primary else { return nil }
    switch column.codec {
    case .int: return TableSQL.zIndex.quoted
    case .string, .uuid:
      return randomUUID
    case .uuidBytes: return UUIDConversion.bytes(ofText: randomUUID)
    default: return nil
    }
  }

  /// The expression for the text of a random UUID.
  private static var randomUUID: String {
    "hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || "
      + "substr(hex(randomblob(2)), 2) || '-' || substr('89AB', 1 + abs(random() % 4), 1) || "
      + "substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))"
  }
}
