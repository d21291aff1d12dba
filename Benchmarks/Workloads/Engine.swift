/// A database library under measurement.
public protocol Engine: Sendable {
  /// The name in reports: `GRDB, Codable records`.
  static var name: String { get }

  /// The version of the measured library: `7.10.0`.
  static var version: String { get }

  /// Opens the database in an existing directory, or creates it.
  static func open(directory: String, durability: Durability) async throws -> Self

  /// Prepares a work. Everything that is not to be measured is done before this returns.
  ///
  /// - Returns: The job, or nil if the engine does not support the work.
  func job(for work: Work) async throws -> Job?

  /// Closes the database.
  func close() async
}

/// Performs a work once, and returns the checksum of all fetched values.
///
/// Can be called repeatedly if the work does not change the database.
public typealias Job = @Sendable (Run) async throws -> Checksum
