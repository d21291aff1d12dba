public import Foundation
public import MagicData
package import MagicStore
package import SQLiteStore

/// A copy of a database that an earlier version of a program wrote. A test migrates the copy.
///
/// Record the database of each version once, and keep it with the tests:
///
/// ```swift
/// let file = fixtures.appendingPathComponent("1.0.sqlite3")
/// try await MagicMigrationFixture.record(magic, to: file)
/// ```
///
/// Test every later version on copies of it:
///
/// ```swift
/// let fixture = try MagicMigrationFixture(copying: file)
/// let plan = try await fixture.migrate(Person.self)
/// let migrated = try await fixture.open()
/// ```
///
/// The original is only read. The copy is in a private directory, which is deleted when the fixture
/// and everything that was opened from it are deallocated. All failures are thrown as errors, so
/// the fixture does not depend on a testing framework.
public struct MagicMigrationFixture: Sendable {
  /// The URL of the copy.
  public let file: URL
  let directory: PrivateDirectory

  /// Copies a database with its assets and its write-ahead log.
  ///
  /// - Parameter original: the database file, or a directory that contains `default.sqlite3`. No
  ///   process may have the database open for writing.
  /// - Throws: `MagicError` with `.cannotOpen` if there is no database at the URL, or if it cannot
  ///   be copied.
  public init(copying original: URL) throws {
    let original = try DatabaseCopy.original(original)
    directory = try PrivateDirectory()
    file = URL(fileURLWithPath: directory.path).appendingPathComponent(original.lastPathComponent)
    try DatabaseCopy.copy(original, to: file)
  }

  /// Opens the copy.
  ///
  /// - Parameter options: the options for opening it. By default, `durability` is `.off`, because a
  ///   test need not survive a power failure.
  /// - Throws: `MagicError`.
  public func open(options: MagicOptions = .init(durability: .off)) async throws -> MagicData {
    MagicData(store: try open(options: options))
  }

  /// Opens the copy for blocking calls.
  package func open(options: MagicOptions) throws -> MagicObjectStore {
    var options = options
    options.directory = directory
    return try MagicObjectStore.open(.file(file.path), options: options)
  }
}
