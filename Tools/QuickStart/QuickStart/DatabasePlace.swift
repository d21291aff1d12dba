import Foundation
import MagicData

/// Where the database lies: at a path of the user's, or in a directory that goes when we are done.
struct DatabasePlace {
  let path: String
  let isTemporary: Bool
  private let directory: URL?

  init(path: String?) throws {
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

  /// Opens the database for the time of one job.
  func open<Answer>(
    readOnly: Bool = false, _ job: (MagicData) async throws -> Answer
  ) async throws -> Answer {
    do {
      let magic = try await MagicData(path: path, options: MagicOptions(readOnly: readOnly))
      do {
        let answer = try await job(magic)
        await magic.close()
        return answer
      } catch {
        await magic.close()
        throw error
      }
    } catch let error as MagicError {
      throw Failure(path: path, error: error)
    }
  }

  /// Removes a temporary database with the files of its descriptions.
  func clean() {
    guard let directory else { return }
    // Under another name nobody who is still at work adds a file while the others go.
    let gone = directory.appendingPathExtension("gone")
    try? FileManager.default.moveItem(at: directory, to: gone)
    try? FileManager.default.removeItem(at: gone)
  }
}

extension DatabasePlace {
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let error: MagicError

    var description: String { "database \(path.printable): \(error)" }
  }
}
