package import Foundation
package import MagicSQLite

/// A private directory for the databases of one test, which is removed with the object.
package final class Scratch: Sendable {
  /// The default name of a database.
  package static let name = "test.sqlite3"

  private let temporary: TemporaryDirectory
  /// The path of the directory, without symbolic links.
  package let path: String

  /// Creates the directory, and no file in it.
  package init() {
    guard let temporary = try? TemporaryDirectory() else {
      fatalError("A test cannot create its directory in \(FileManager.default.temporaryDirectory).")
    }
    self.temporary = temporary
    path = temporary.url.resolvingSymlinksInPath().path
  }

  package var directory: URL { URL(fileURLWithPath: path, isDirectory: true) }

  /// The path of a file in the directory.
  package func file(_ name: String = Scratch.name) -> String { path + "/" + name }

  /// The same as a URL.
  package func url(_ name: String = Scratch.name) -> URL { URL(fileURLWithPath: file(name)) }

  /// The path of the folder with the assets of the database.
  package var assets: String { file() + "-assets" }
}

extension Scratch {
  /// A connection to the database, which it creates if necessary.
  package func connection(
    _ configuration: SQLiteConfiguration = .init()
  ) throws -> SQLiteConnection {
    try SQLiteConnection(path: file(), configuration: configuration)
  }

  /// Another connection to an existing database, such as another process has.
  package func raw(_ name: String = Scratch.name, timeout: Double = 5) throws -> SQLiteConnection {
    try SQLiteConnection(
      path: file(name),
      configuration: SQLiteConfiguration(access: .readWriteExisting, busyTimeout: timeout))
  }

  /// Runs SQL on such a connection.
  package func change(_ sql: String) throws {
    let raw = try raw()
    defer { raw.close() }
    try raw.execute(sql)
  }
}
