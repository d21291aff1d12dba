import Foundation
import KillProgram
import MagicStore
import MagicTestSupport
import SQLiteStore

/// A database before its migration, and the results of uninterrupted migrations.
struct MigrationReference {
  let before: DatabaseDump
  let ways: [MigrationWork.Way: Outcome]
  private let directory: TemporaryDirectory

  /// The result of one way to migrate.
  struct Outcome {
    let after: DatabaseDump
    /// The executed statements, in order.
    let statements: [String]
    /// The position, from 1, of the statement that commits the new state.
    let commit: Int
    let milliseconds: Int
  }

  /// Created once, because this takes longer than a round.
  static let shared = Result { try MigrationReference() }

  private init() throws {
    directory = try TemporaryDirectory()
    let path = directory.file("template.sqlite3").path
    let store = try MagicObjectStore.open(.file(path))
    try Library.fill(store)
    store.close()
    before = try DatabaseDump(of: path)
    var outcomes: [MigrationWork.Way: Outcome] = [:]
    for way in MigrationWork.Way.allCases {
      outcomes[way] = try Self.outcome(of: way, from: path)
    }
    self.ways = outcomes
  }

  /// Copies the database before its migration to another path.
  func copy(to path: String) throws {
    try Self.copy(directory.file("template.sqlite3").path, to: path)
  }

  private static func copy(_ template: String, to path: String) throws {
    for suffix in ["", "-assets"] {
      try FileManager.default.copyItem(atPath: template + suffix, toPath: path + suffix)
    }
  }

  private static func outcome(
    of way: MigrationWork.Way, from template: String
  ) throws -> Outcome {
    let path = template + "-\(way)"
    try copy(template, to: path)
    let recorder = Recorder<String>()
    let start = Date()
    try MigrationWork(path, way: way).run { recorder.note($0.replacing("\n", with: " ")) }
    let milliseconds = Int(Date().timeIntervalSince(start) * 1_000)
    let statements = recorder.all
    // Statements after this commit remove the records of deleted files.
    let lastOfMigration = statements.lastIndex { $0.hasPrefix("INSERT INTO \"magic_catalogue\"") }
    let commit = statements[(lastOfMigration ?? 0)...].firstIndex(of: "COMMIT")
    return Outcome(
      after: try DatabaseDump(of: path), statements: statements,
      commit: commit.map { $0 + 1 } ?? statements.count, milliseconds: milliseconds)
  }
}
