import CPostgreSQL
import Foundation

extension PostgreSQLError {
  /// Creates the error that a result reports.
  init(_ result: OpaquePointer, sql: String?) {
    let state = Self.field(magic_field_sqlstate, of: result) ?? ""
    let message = Self.field(magic_field_message, of: result) ?? "The statement failed."
    // Messages of data errors, such as "invalid input syntax", quote the data.
    self.init(
      .refused, state.hasPrefix("22") ? Self.dataError(state) : message, sqlState: state)
    table = Self.field(magic_field_table, of: result)
    column = Self.field(magic_field_column, of: result)
    constraint =
      Self.field(magic_field_constraint, of: result)
      ?? (state == "54000" ? Self.index(inMessage: message) : nil)
    if state == "23503" {
      referencedRow = Self.field(magic_field_detail, of: result).flatMap {
        Self.row(inDetail: $0, constraint: constraint ?? "")
      }
    }
    self.sql = sql
  }

  /// The message of a data error, without the data, in the form of the server's messages.
  private static func dataError(_ state: String) -> String {
    switch state {
    case "22012": "division by zero"
    case "22001": "a text is too long for its type"
    case "22003": "a number is outside the range of its type"
    case "22007", "22008": "a date or time is not valid"
    case "22P02", "22P03": "a text or bytes are not a value of the type"
    default: "a value is not valid"
    }
  }

  /// Returns the index of this library that a message names, such as that of a value which is too large for
  /// it, in any language.
  private static func index(inMessage message: String) -> String? {
    message.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      .first { $0.hasPrefix("magic_") }.map { String($0) }
  }

  /// Returns the row ID of a detail such as `Key (owner)=(5) is not present in table "Person".`, in any
  /// language. Nil for the foreign key of another program, whose values may be anything.
  package static func row(inDetail detail: String, constraint: String) -> Int64? {
    guard let middle = detail.range(of: ")=("),
      constraint.hasPrefix("magic_key_") || detail[..<middle.lowerBound].hasSuffix("(z_index")
    else { return nil }
    return Int64(detail[middle.upperBound...].prefix { $0 != ")" })
  }

  static func field(_ code: Int, of result: OpaquePointer) -> String? {
    magic_PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
  }

  /// Whether the server ends the connection with this error, or cannot be used now: it shuts down,
  /// starts, or has lost the connection.
  var endsConnection: Bool { sqlClass == "08" || sqlState.hasPrefix("57P") }
}
