import Foundation
import MagicData
import MagicSQLite
import MagicStore

/// Migrates a database to later types.
package struct MigrationWork {
  /// How a program starts the migration.
  package enum Way: Int, Sendable, CaseIterable {
    /// All types, in a synchronous call.
    case blocking
    /// All types, in an asynchronous call.
    case task
    /// The first fetch of a type.
    case reading
    /// The first save of a type.
    case saving

    package init(seed: UInt64) {
      self = Self.allCases[Int(seed % UInt64(Self.allCases.count))]
    }
  }

  private let path: String
  private let way: Way

  package init(_ path: String, way: Way) {
    self.path = path
    self.way = way
  }

  /// Migrates without a flaw.
  ///
  /// - Parameter trace: A closure that receives the statements.
  package func run(trace: @escaping @Sendable (String) -> Void = { _ in }) throws {
    // The statements have the same numbers as in a program with a kill switch.
    var options = MagicOptions(durability: .normal, trace: trace)
    options.minimumFreeSpace = 0
    let store = try MagicObjectStore.open(.file(path), options: options)
    defer { store.close() }
    try migrate(store)
  }

  /// Migrates in a mode, with a switch that can kill the program.
  func run(_ mode: Mode, _ killSwitch: KillSwitch) throws {
    let store = try MagicObjectStore.open(
      .file(path), options: killSwitch.options(mode, isSynced: false))
    if mode == .unlinkfirst {
      let obsolete = try covers()
      killSwitch.willCommit = { for path in obsolete { unlink(path) } }
    }
    if mode == .slow {
      killSwitch.willCommit = {
        Message.begin([]).send()
        usleep(700_000)
      }
    }
    if mode == .twoTransactions { try store.migrate(After.Writer.self) }
    try migrate(store)
    killSwitch.reportCommit()
    killSwitch.willCommit = {}
    store.close()
    if mode == .versionless { try deleteVersions() }
  }

  private func migrate(_ store: MagicObjectStore) throws {
    switch way {
    case .blocking: try store.migrate(After.Shelf.self)
    case .task:
      try waiting { [path] in
        let magic = try await MagicData(path: path)
        try await magic.migrate(After.Shelf.self)
        await magic.close()
      }
    case .reading: _ = try store.object(of: After.Shelf.self)
    case .saving: try store.update(After.Shelf(label: Library.newLabel))
    }
  }

  // MARK: Flaws

  /// The files that no row refers to after the migration.
  private func covers() throws -> [String] {
    let connection = try SQLiteConnection(path: path)
    defer { connection.close() }
    guard try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = 'Author'") == 1
    else { return [] }
    let statement = try connection.prepare("SELECT \"cover\" FROM \"Book\" WHERE \"cover\" <> ''")
    var paths: [String] = []
    while try statement.step() { paths.append("\(path)-assets/\(statement.column(0).text)") }
    return paths
  }

  private func deleteVersions() throws {
    let connection = try SQLiteConnection(path: path)
    defer { connection.close() }
    try connection.execute("UPDATE \"magic_catalogue\" SET \"version\" = 0")
  }
}
