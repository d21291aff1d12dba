import PostgreSQLEngine

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

  /// Reads the parameters of a statement.
  public init(of statement: String) {
    let bytes = Array(statement.utf8)
    var sql: [UInt8] = []
    var names: [String] = []
    var (end, highest) = (0, 0)
    for parameter in SQLParameter.all(in: statement) {
      let name = parameter.name ?? "\(highest + 1)"
      if !names.contains(name) {
        names.append(name)
        highest = max(highest + 1, parameter.text.first == "?" ? Int(name) ?? 0 : 0)
      }
      guard parameter.name == nil else { continue }
      sql += bytes[end..<parameter.range.upperBound] + name.utf8
      end = parameter.range.upperBound
    }
    self.sql = String(decoding: sql + bytes[end...], as: UTF8.self)
    self.names = names
  }
}
