import Foundation

/// The notations of a database on a server of PostgreSQL.
enum ServerAddress {
  /// Whether an argument is a connection string of libpq, or a URI, and not the path of a file.
  static func isAddress(_ argument: String) -> Bool {
    if argument.hasPrefix("postgres://") || argument.hasPrefix("postgresql://") { return true }
    guard !FileManager.default.fileExists(atPath: argument) else { return false }
    return argument.range(of: pair, options: .regularExpression) != nil
      && argument.range(of: knownPair, options: .regularExpression) != nil
  }

  /// A keyword and its value at the beginning.
  private static let pair = #"^\s*\w+\s*="#
  /// A keyword that connection strings usually have, at any place.
  private static let knownPair =
    #"(^|\s)(host|hostaddr|port|dbname|user|service|passfile|password|sslmode|options)\s*="#
}
