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

  /// Returns the address with a limit for the time of each statement, after its own options; nil if
  /// they have escapes.
  static func limiting(_ address: String, seconds: Double) -> String? {
    let limit = "-c statement_timeout=\(max(1, Int(seconds * 1_000)))"
    if address.hasPrefix("postgres://") || address.hasPrefix("postgresql://") {
      let value = limit.replacing(" ", with: "%20").replacing("=", with: "%3D")
      guard
        let own = address.range(of: #"[?&]options=[^&]*"#, options: .regularExpression)
      else { return address + (address.contains("?") ? "&" : "?") + "options=\(value)" }
      return address.replacingCharacters(in: own, with: "\(address[own])%20\(value)")
    }
    let keyword = #"(^|\s)options\s*=\s*"#
    guard let start = address.range(of: keyword, options: .regularExpression) else {
      return address + " options='\(limit)'"
    }
    let value = #"^('[^'\\]*'|[^\s'\\]*)(?=\s|$)"#
    let rest = start.upperBound..<address.endIndex
    guard let own = address.range(of: value, options: .regularExpression, range: rest) else {
      return nil
    }
    let text = address[own].trimmingCharacters(in: ["'"])
    return address.replacingCharacters(in: own, with: "'\(text) \(limit)'")
  }

  /// A keyword and its value at the beginning.
  private static let pair = #"^\s*\w+\s*="#
  /// A keyword that connection strings usually have, at any place.
  private static let knownPair =
    #"(^|\s)(host|hostaddr|port|dbname|user|service|passfile|password|sslmode|options)\s*="#
}
