import Foundation

/// The notations of a database on a server of PostgreSQL.
enum ServerAddress {
  /// Whether an argument is a connection string of libpq, or a URI, and not the path of a file.
  static func isOne(_ argument: String) -> Bool {
    if argument.hasPrefix("postgres://") || argument.hasPrefix("postgresql://") { return true }
    guard !FileManager.default.fileExists(atPath: argument) else { return false }
    let form = #"^\s*(host|hostaddr|port|dbname|user|service|passfile)\s*="#
    return argument.range(of: form, options: .regularExpression) != nil
  }

  /// Returns the address with a limit for the time of each statement.
  static func limiting(_ address: String, seconds: Double) -> String {
    let limit = "-c statement_timeout=\(max(1, Int(seconds * 1_000)))"
    guard !address.contains("options=") else { return address }
    guard address.hasPrefix("postgres://") || address.hasPrefix("postgresql://") else {
      return address + " options='\(limit)'"
    }
    let value = limit.replacing(" ", with: "%20").replacing("=", with: "%3D")
    return address + (address.contains("?") ? "&" : "?") + "options=\(value)"
  }
}
