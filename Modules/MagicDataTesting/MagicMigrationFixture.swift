public import Foundation
public import MagicData
package import MagicStore
package import SQLiteStore

/// A copy of a database that an earlier version of a program wrote, for a test to migrate.
///
/// A version's database is kept once, beside the tests:
///
/// ```swift
/// let file = fixtures.appendingPathComponent("1.0.sqlite3")
/// try await MagicMigrationFixture.record(magic, to: file)
/// ```
///
/// Every later version is tested on copies of it:
///
/// ```swift
/// let fixture = try MagicMigrationFixture(copying: file)
/// let plan = try await fixture.migrate(Person.self)
/// let migrated = try await fixture.open()
/// ```
///
/// The original is only read. The copy lies in a private directory, which goes when the fixture and
/// everything that was opened from it are gone. What fails throws, so that it serves any testing
/// framework.
public struct MagicMigrationFixture: Sendable {
  /// Where the copy lies.
  public let file: URL
  let directory: PrivateDirectory

  /// Copies a database, with its assets and with what its log holds.
  ///
  /// - Parameter original: the file, or a directory with `default.sqlite3` in it. Nobody may have it
  ///   open to write.
  /// - Throws: `MagicError` with `.cannotOpen` where no database lies there, or what lies there
  ///   cannot be copied.
  public init(copying original: URL) throws {
    let original = try DatabaseCopy.original(original)
    directory = try PrivateDirectory()
    file = URL(fileURLWithPath: directory.path).appendingPathComponent(original.lastPathComponent)
    try DatabaseCopy.copy(original, to: file)
  }

  /// Opens the copy.
  ///
  /// - Parameter options: how it is opened. Default: nothing outlasts a loss of power.
  /// - Throws: `MagicError`.
  public func open(options: MagicOptions = .init(durability: .off)) async throws -> MagicData {
    MagicData(store: try open(options: options))
  }

  /// Opens the copy for calls that block.
  package func open(options: MagicOptions) throws -> MagicObjectStore {
    var options = options
    options.directory = directory
    return try MagicObjectStore.open(.file(file.path), options: options)
  }
}
