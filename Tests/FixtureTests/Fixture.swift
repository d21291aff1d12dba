import Foundation
import MagicAsync
import MagicRelations
import MagicStore
import MagicTestSupport
import Testing

/// A database file as a version of the library wrote it; ``today`` is written when it is asked for.
enum Fixture: String, CaseIterable, CustomTestStringConvertible {
  case values = "values-1"
  case relationships = "relationships-1"
  case queries = "queries-1"
  case assets = "assets-1"
  case today

  static let earlier: [Fixture] = [.values, .relationships, .queries, .assets]
  static let withRelationships: [Fixture] = [.relationships, .queries, .assets, .today]
  static let withQueries: [Fixture] = [.queries, .assets, .today]
  static let withAssets: [Fixture] = [.assets, .today]

  var testDescription: String { rawValue }

  /// A copy that a test may change.
  func copy() throws -> FixtureCopy {
    let copy = try FixtureCopy()
    guard self != .today else {
      try Self.write(copy)
      return copy
    }
    let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Databases")
    let name = rawValue + ".sqlite3"
    try FileManager.default.copyItem(at: folder.appendingPathComponent(name), to: copy.file)
    let assets = folder.appendingPathComponent(name + "-assets")
    if FileManager.default.fileExists(atPath: assets.path) {
      try FileManager.default.copyItem(at: assets, to: copy.assets)
    }
    return copy
  }

  private static func write(_ copy: FixtureCopy) throws {
    try copy.using { try BasicsWriting.begin($0) }
    try copy.using { store throws in
      let people = try BasicsWriting.write(store)
      try HomesWriting.write(store, people: people)
      try ScoresWriting.write(store)
      try PhotosWriting.write(store, people: people)
    }
  }
}

/// A database of a test's own, removed with it.
final class FixtureCopy: Sendable {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  var file: URL { directory.file("fixture.sqlite3") }
  var assets: URL { directory.file("fixture.sqlite3-assets") }

  /// Opens the database for the time of the body.
  @discardableResult
  func using<Result>(
    readOnly: Bool = false, _ body: (ObjectStore) throws -> Result
  ) throws -> Result {
    let options = StoreOptions(readOnly: readOnly, durability: readOnly ? .full : .normal)
    let store = try ObjectStore.open(.file(file.path), options: options)
    defer { store.close() }
    return try body(store)
  }

  /// The database's bytes, and those of the files of assets by their names.
  var bytes: [String: Data] {
    get throws {
      var bytes = ["": try Data(contentsOf: file)]
      let names = try? FileManager.default.subpathsOfDirectory(atPath: assets.path)
      for name in names ?? [] {
        bytes[name] = try? Data(contentsOf: assets.appendingPathComponent(name))
      }
      return bytes
    }
  }

  /// How many files of assets there are.
  var assetCount: Int { get throws { try bytes.keys.count { $0.contains("/") } } }
}

extension ObjectStore {
  func stamps() throws -> [Stamp] { try object(of: Stamp.self) }
}
