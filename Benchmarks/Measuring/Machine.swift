import CSQLite
import Foundation

/// Where the figures come from.
struct Machine: Codable, Sendable {
  let system: String
  let cores: Int
  let sqlite: String
  let swift: String

  static let current = Machine(
    system: ProcessInfo.processInfo.operatingSystemVersionString,
    cores: ProcessInfo.processInfo.activeProcessorCount,
    sqlite: String(cString: sqlite3_libversion()), swift: swiftVersion)

  private static var swiftVersion: String {
    #if compiler(>=6.3)
      "6.3 or later"
    #else
      "6.2"
    #endif
  }
}
