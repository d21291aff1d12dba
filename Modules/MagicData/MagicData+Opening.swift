public import Foundation
import MagicFiles
import MagicSchema
import MagicStore
import SQLiteStore

extension MagicData {
  /// A kind of database that is deleted when it is closed.
  public enum Kind: Sendable {
    /// A file in a private directory. The file and the directory are deleted when the last
    /// `MagicData` on the database is closed or deallocated.
    case temporary
    /// An in-memory database.
    case memory
  }

  /// Opens or creates `default.sqlite3` in the user's documents directory. A missing directory is
  /// created, unless the options open only an existing database.
  ///
  /// - Throws: `MagicError`.
  public init(options: MagicOptions = .init()) async throws {
    guard
      let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
    else {
      throw MagicError(
        .cannotOpen, "The user has no documents directory. Open the database with a path.")
    }
    if !options.readOnly && !options.mustExist {
      do {
        try MissingDirectories(at: documents.path).make(.full)
      } catch {
        throw MagicError(
          .cannotOpen, "The documents directory cannot be created. Open the database with a path.",
          cause: error)
      }
    }
    try await self.init(
      path: documents.appendingPathComponent("default.sqlite3"), options: options)
  }

  /// Opens or creates a database file.
  ///
  /// If the path is an existing directory, the file is `default.sqlite3` in that directory. Missing
  /// directories are created.
  ///
  /// - Throws: `MagicError`: `.notADatabase`, `.corrupt`, `.newerFormat`, `.lostDatabase`,
  ///   `.readOnly`, `.cannotOpen`, `.noLocks`, `.unsupportedSQLite`. The file is not changed in
  ///   this case.
  public init(path: String, options: MagicOptions = .init()) async throws {
    self.init(
      store: try MagicObjectStore.open(.file(path), options: options))
  }

  /// Opens or creates a database file, like ``init(path:options:)-(String,_)``.
  public init(path: URL, options: MagicOptions = .init()) async throws {
    guard path.isFileURL else {
      throw MagicError(.cannotOpen, "The database URL is not a file URL.")
    }
    try await self.init(path: path.path, options: options)
  }

  /// Opens a new database. Its contents are deleted when the last `MagicData` on it is closed or
  /// deallocated.
  ///
  /// - Throws: `MagicError`.
  public init(type: Kind, options: MagicOptions = .init()) async throws {
    let location: MagicStoreLocation
    switch type {
    case .temporary: location = .temporary
    case .memory: location = .memory
    }
    self.init(
      store: try MagicObjectStore.open(location, options: options))
  }
}
