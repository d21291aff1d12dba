import MagicSchema
import PostgreSQLQueries

/// The parameters of a statement in the dialect of PostgreSQL, for a tool that takes their values from
/// its user.
@_spi(Tools)
public struct PostgresParameters: Sendable {
  /// The statement. A parameter without a name has its number, which counts the other parameters too:
  /// `:a, ?` is `:a, ?2`.
  public let sql: String
  /// The names of the parameters, or their numbers, without their first characters. Each is contained
  /// once, in the order of the statement.
  public let names: [String]

  /// Reads the parameters of a statement. They have the numbers that SQLite gives them.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` for a number that is out of range.
  public init(of statement: String) throws {
    let bytes = Array(statement.utf8)
    var sql: [UInt8] = []
    var names: [String] = []
    var known: Set<String> = []
    var (end, highest) = (0, 0)
    for parameter in SQLParameter.all(in: statement) {
      if parameter.name == nil {
        highest += 1
      } else if known.insert(parameter.text).inserted {
        highest = try parameter.number().map { max(highest, $0) } ?? highest + 1
      }
      guard highest <= Self.maximum else { throw Self.outOfRange() }
      let name = parameter.name ?? "\(highest)"
      if !names.contains(name) { names.append(name) }
      guard parameter.name == nil else { continue }
      sql += bytes[end..<parameter.range.upperBound] + name.utf8
      end = parameter.range.upperBound
    }
    self.sql = String(decoding: sql + bytes[end...], as: UTF8.self)
    self.names = names
  }

  /// The largest number of a parameter in SQLite.
  private static let maximum = 32_766

  fileprivate static func outOfRange() -> MagicError {
    MagicError(.invalidQuery, "The number of a parameter is from 1 to \(maximum).")
  }
}

extension SQLParameter {
  /// Returns the number of a parameter such as `?1`; nil for those with names.
  fileprivate func number() throws -> Int? {
    guard let name, text.first == "?" else { return nil }
    guard let number = Int(name), number > 0 else { throw PostgresParameters.outOfRange() }
    return number
  }
}
