import Foundation
import MagicAsync
import MagicDataTesting
import MagicRelations
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// A database file that a version of the library wrote; the tests write ``today``. The number is
/// the file format.
enum Fixture: String, CaseIterable, CustomTestStringConvertible {
  case values = "values-1"
  case relationships = "relationships-1"
  case queries = "queries-1"
  case assets = "assets-1"
  case migrations = "migrations-2"
  case columns = "columns-3"
  case today

  static let earlier = allCases.filter { $0 != .today }
  static let withRelationships: [Fixture] = [.relationships] + withQueries
  static let withQueries: [Fixture] = [.queries] + withAssets
  static let withAssets: [Fixture] = [.assets] + withMigrations
  static let withMigrations: [Fixture] = [.migrations, .columns, .today]

  /// The format of the file.
  var format: Int { self == .today ? 3 : rawValue.last?.wholeNumberValue ?? 0 }

  var testDescription: String { rawValue }

  /// A copy that a test may change.
  func copy() throws -> MagicMigrationFixture {
    guard self == .today else {
      let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Databases")
      return try MagicMigrationFixture(
        copying: folder.appendingPathComponent(rawValue + ".sqlite3"))
    }
    return try MagicMigrationFixture(copying: Self.fileOfToday.get())
  }

  /// The file of this version, written once per process, and removed when the process exits.
  private static let fileOfToday = Result<URL, any Error> {
    let file = try directoryOfToday.get().file("today.sqlite3")
    atexit { try? Fixture.directoryOfToday.get().remove() }
    try write(file)
    return file
  }

  private static let directoryOfToday = Result<TemporaryDirectory, any Error> {
    try TemporaryDirectory()
  }

  /// Writes the file of this version. Types that change are used in separate stores.
  static func write(_ file: URL) throws {
    func using(_ body: (MagicObjectStore) throws -> Void) throws {
      let store = try MagicObjectStore.open(.file(file.path), options: .init(durability: .normal))
      defer { store.close() }
      try body(store)
    }
    try using { try BasicsWriting.begin($0) }
    try using { store throws in
      let people = try BasicsWriting.write(store)
      try HomesWriting.write(store, people: people)
      try ScoresWriting.write(store)
      try PhotosWriting.write(store, people: people)
    }
    try using { try ParcelsWriting.begin($0) }
    try using { try ParcelsWriting.write($0) }
  }
}

extension MagicMigrationFixture {
  /// Opens the database for the duration of the body.
  @discardableResult
  func using<Result>(
    readOnly: Bool = false, _ body: (MagicObjectStore) throws -> Result
  ) throws -> Result {
    let store = try open(options: MagicOptions(readOnly: readOnly, durability: .off))
    defer { store.close() }
    return try body(store)
  }

  /// The bytes of the database, and of the asset files by their names. The lock file that earlier
  /// versions left is removed when the database is closed.
  var bytes: [String: Data] {
    get throws {
      var bytes = ["": try Data(contentsOf: file)]
      let assets = URL(fileURLWithPath: file.path + "-assets")
      let names = try? FileManager.default.subpathsOfDirectory(atPath: assets.path)
      for name in names ?? [] where name != "hold" {
        bytes[name] = try? Data(contentsOf: assets.appendingPathComponent(name))
      }
      return bytes
    }
  }

  /// The number of asset files.
  var assetCount: Int { get throws { try bytes.keys.count { $0.contains("/") } } }
}

extension MagicObjectStore {
  func stamps() throws -> [Stamp] { try object(of: Stamp.self) }
}
