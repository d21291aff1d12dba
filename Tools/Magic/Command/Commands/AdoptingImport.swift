import Foundation
import MagicData
import MagicInspection

/// The import of a database of another program into a new file: a copy, whose tables the types of the tool
/// adopt.
struct AdoptingImport {
  private let source: String
  private let types: [any MagicObject.Type]
  private let tables: [String]

  /// Returns nil for a database that has no tables of another program, and for a store of Core Data.
  init?(of database: InspectedDatabase, at path: String, types: [any MagicObject.Type]) {
    let tables = database.otherTables
    guard database.format == nil, !tables.isEmpty, !tables.contains("Z_PRIMARYKEY") else {
      return nil
    }
    (source, self.types, self.tables) = (path, types, tables)
  }

  /// - Parameter isPlan: whether to show the steps without creating the new file.
  func run(to destination: String, isPlan: Bool, _ format: JSONOption) async throws {
    guard !types.isEmpty else {
      throw CommandError(
        ExitStatus.usage,
        "The tables of another program become objects of types, and this tool has none. `magic schema "
          + "FILE --swift` writes the types; `magic migrate` shows how to make a tool of them.")
    }
    if isPlan {
      let plan = try await FileArgument.opening(source, readOnly: true) { magic in
        try await magic.migrationPlan(for: types)
      }
      try checkAdopts(plan)
      return try write(plan, format)
    }
    guard !FileManager.default.fileExists(atPath: destination) else {
      throw CommandError(
        ExitStatus.failure, "Something already exists at the path of the new database.")
    }
    // The new file is a backup of the copy that is migrated, so that it is on the disk as a whole or does
    // not exist.
    let partial = "\(destination).import-\(UUID().uuidString)"
    defer {
      for suffix in Self.suffixes { try? FileManager.default.removeItem(atPath: partial + suffix) }
    }
    let progress = Progress("Importing")
    defer { progress.finish() }
    try await FileArgument.opening(source, readOnly: true) { magic in
      try await magic.backup(to: partial) { progress.show($0.fraction / 3) }
    }
    let done = try await FileArgument.opening(partial, readOnly: false) { magic in
      let plan = try await magic.migrationPlan(for: types)
      try checkAdopts(plan)
      guard plan.refused.isEmpty else { return plan }
      let done = try await magic.migrate(types) { progress.show((1 + $0.fraction) / 3) }
      try await magic.backup(to: destination) { progress.show((2 + $0.fraction) / 3) }
      return done
    }
    progress.finish()
    try write(done, format)
  }

  /// Refuses a plan that adopts no table: every step concerns a table of the file, and only another program
  /// has created tables in it.
  private func checkAdopts(_ plan: MagicMigrationPlan) throws {
    guard plan.isEmpty else { return }
    let shown = tables.prefix(20).map { InspectedText.line($0) }.joined(separator: ", ")
    throw CommandError(
      ExitStatus.usage,
      "No type of the tool adopts a table of the database, which has: \(shown). `magic schema FILE "
        + "--swift` writes types that do.")
  }

  private static let suffixes = ["", "-wal", "-shm", "-journal", "-commits", "-assets"]

  private func write(_ plan: MagicMigrationPlan, _ format: JSONOption) throws {
    plan.write(format, showsSQL: false)
    guard plan.refused.isEmpty else {
      throw CommandError(
        ExitStatus.findings, "The plan has steps that need a decision. Nothing was imported.")
    }
  }
}
