public import Foundation
import MagicFiles
import MagicSchema
import MagicStore
import SQLiteStore

extension MagicData {
  /// A kind of database that no file of the user's holds.
  public enum Kind: Sendable {
    /// A file in a private directory, removed when the database is closed or let go.
    case temporary
    /// Memory.
    case memory
  }

  /// Opens or creates `default.sqlite3` in the user's documents directory, which is made where
  /// there is none.
  ///
  /// - Throws: `MagicError`.
  public init(options: MagicOptions = .init()) async throws {
    guard
      let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
    else { throw MagicError(.cannotOpen, "The user has no documents directory.") }
    do {
      try MissingDirectories(at: documents.path).make(.full)
    } catch {
      throw MagicError(.cannotOpen, "The documents directory cannot be made.", cause: error)
    }
    try await self.init(path: documents.path, options: options)
  }

  /// Opens or creates the database in a file.
  ///
  /// An existing directory stands for `default.sqlite3` in it, missing directories are made.
  ///
  /// - Throws: `MagicError`: `.notADatabase`, `.corrupt`, `.newerFormat`, `.lostDatabase`, `.readOnly`,
  ///   `.cannotOpen`, `.noLocks`, `.unsupportedSQLite`. The file is then as it was.
  public init(path: String, options: MagicOptions = .init()) async throws {
    self.init(
      store: try MagicObjectStore.open(.file(path), options: options))
  }

  /// Opens or creates the database in a file, like ``init(path:options:)-(String,_)``.
  public init(path: URL, options: MagicOptions = .init()) async throws {
    guard path.isFileURL else {
      throw MagicError(.cannotOpen, "The URL of a database is a file's.")
    }
    try await self.init(path: path.path, options: options)
  }

  /// Opens a new database that ends with its last user.
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
