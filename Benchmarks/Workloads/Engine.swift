/// A database library under measurement.
public protocol Engine: Sendable {
  /// As in a report: `GRDB, Codable records`.
  static var name: String { get }

  /// Of the library that is measured: `7.10.0`.
  static var version: String { get }

  /// Opens the database in an existing directory, a new one where there is none.
  static func open(directory: String, durability: Durability) async throws -> Self

  /// Makes ready for a work: what is not to be measured is done before this returns.
  ///
  /// - Returns: nil where the engine has nothing for it.
  func job(for work: Work) async throws -> Job?

  /// Closes the database.
  func close() async
}

/// Does a work once, and returns the sum of all that it read.
///
/// May be called more than once where the work leaves the database as it was.
public typealias Job = @Sendable (Run) async throws -> Checksum
