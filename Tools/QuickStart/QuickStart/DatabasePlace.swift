import Foundation
import MagicData
import MagicDataPostgres

/// The location of the database: a path of the user, a temporary directory, or a server.
struct DatabasePlace {
  /// The path, or the connection string of the server.
  let path: String
  let isOnServer: Bool
  let isTemporary: Bool
  private let directory: URL?

  /// - Parameter postgres: the connection string of a server of PostgreSQL.
  init(postgres: String) {
    path = postgres
    isOnServer = true
    isTemporary = false
    directory = nil
  }

  init(path: String?) throws {
    isOnServer = false
    if let path {
      self.path = path
      isTemporary = false
      directory = nil
    } else {
      let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("quick-start-\(UUID().uuidString)", isDirectory: true)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      self.path = directory.appendingPathComponent("packages.sqlite3").path
      isTemporary = true
      self.directory = directory
    }
  }

  /// Opens the database for the duration of a job.
  func open<Answer>(
    readOnly: Bool = false, _ job: (MagicData) async throws -> Answer
  ) async throws -> Answer {
    do {
      let magic =
        isOnServer
        ? try await MagicData(postgres: path, options: PostgresOptions(readOnly: readOnly))
        : try await MagicData(path: path, options: MagicOptions(readOnly: readOnly))
      do {
        let answer = try await job(magic)
        await magic.close()
        return answer
      } catch {
        await magic.close()
        throw error
      }
    } catch let error as MagicError {
      // A connection string can contain a password.
      throw Failure(path: isOnServer ? "on the server" : path, error: error)
    }
  }

  /// Removes a temporary database with its description files.
  func clean() {
    guard let directory else { return }
    // Renamed first, so that running calls do not add files during the removal.
    let removed = directory.appendingPathExtension("removed")
    try? FileManager.default.moveItem(at: directory, to: removed)
    try? FileManager.default.removeItem(at: removed)
  }
}

extension DatabasePlace {
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let error: MagicError

    var description: String { "database \(path.printable): \(error)" }
  }
}
