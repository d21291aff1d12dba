import Foundation
import KillProgram
import MagicStore
import MagicTestSupport
import SQLiteStore

/// A database as it is before it is migrated, and what becomes of it where nothing comes between.
struct MigrationReference {
  let before: DatabaseDump
  let ways: [MigrationWork.Way: Outcome]
  private let directory: TemporaryDirectory

  /// What one way of migrating does.
  struct Outcome {
    let after: DatabaseDump
    /// The statements that it takes, in order.
    let statements: [String]
    /// The number of the one that commits the new state.
    let commit: Int
    let milliseconds: Int
  }

  /// Made once: it takes longer than a round.
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

  /// Puts the database as it is before into another place.
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
    // What follows the commit of the new state removes files and forgets them.
    let lastOfMigration = statements.lastIndex { $0.hasPrefix("INSERT INTO \"magic_catalogue\"") }
    let commit = statements[(lastOfMigration ?? 0)...].firstIndex(of: "COMMIT")
    return Outcome(
      after: try DatabaseDump(of: path), statements: statements,
      commit: commit.map { $0 + 1 } ?? statements.count, milliseconds: milliseconds)
  }
}
