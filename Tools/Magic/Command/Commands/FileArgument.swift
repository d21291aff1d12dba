import ArgumentParser
import Foundation
import MagicData
import MagicInspection

/// The file that a command is about.
struct FileArgument: ParsableArguments {
  @Argument(
    help: "The file of the database, or a directory that contains default.sqlite3.",
    completion: .file())
  var file: String

  func validate() throws {
    guard !ServerAddress.isAddress(file) else {
      throw ValidationError(
        "This command is for files, and the argument is an address of a server. `magic copy` makes a "
          + "file of a database on a server; inspect, schema, show, query, serve, watch, verify, doctor and "
          + "export also read the server.")
    }
  }

  /// The path of the file.
  var path: String { Self.path(file) }

  static func path(_ file: String) -> String {
    let url = URL(fileURLWithPath: file)
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory),
      isDirectory.boolValue
    else { return url.path }
    return url.appendingPathComponent("default.sqlite3").path
  }

  /// Opens the file for inspection.
  func reader() throws -> InspectionReader {
    let path = path
    let isDirectory = path != URL(fileURLWithPath: file).path
    guard !isDirectory || FileManager.default.fileExists(atPath: path) else {
      throw InspectionError(
        .missingFile, "The path is a directory, and it contains no file default.sqlite3.")
    }
    return try InspectionReader(path: path)
  }

  /// Opens the file for inspection, and closes it after the body.
  func inspecting<Result>(
    _ body: (InspectionReader, InspectedDatabase) throws -> Result
  ) throws -> Result {
    let reader = try reader()
    defer { reader.close() }
    return try reader.snapshot { try body(reader, try reader.database()) }
  }

  /// Opens the database with the library, and closes it after the body.
  func opening<Result>(
    readOnly: Bool, _ body: (MagicData) async throws -> Result
  ) async throws -> Result {
    try checkIsDatabase(readOnly: readOnly)
    return try await Self.opening(path, readOnly: readOnly, body)
  }

  /// The same for a file that may contain no objects yet.
  static func opening<Result>(
    _ path: String, readOnly: Bool, _ body: (MagicData) async throws -> Result
  ) async throws -> Result {
    let magic = try await MagicData(
      path: path, options: MagicOptions(readOnly: readOnly, mustExist: true))
    do {
      let result = try await body(magic)
      await magic.close()
      return result
    } catch {
      await magic.close()
      throw error
    }
  }

  /// Refuses files of other programs, so that nothing is created in them.
  private func checkIsDatabase(readOnly: Bool) throws {
    do {
      try inspecting { _, database in
        guard database.format != nil else {
          throw InspectionError(
            .notADatabase, "The file is an SQLite database, but contains no objects of MagicData.")
        }
      }
    } catch let error as InspectionError where error.kind == .unfinished && !readOnly {
      // The library restores the last commit when it opens the file.
    }
  }
}

/// The option to write JSON.
struct JSONOption: ParsableArguments {
  @Flag(help: "Write JSON instead of text.")
  var json = false

  func write(_ node: JSONNode) { Output.current.line(node.text(isIndented: true)) }
}
