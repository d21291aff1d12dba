import EngineConformance
import Foundation
import Logging
import MagicData
import MagicSQLite
import Testing

/// A directory of a test's own, removed with the test.
final class Scratch: Sendable {
  let path: String

  init() {
    path =
      FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("magic-async-\(UUID().uuidString)").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String = "test.sqlite3") -> String { path + "/" + name }

  /// Another connection to the database, as another process would have it.
  func raw(_ name: String = "test.sqlite3") throws -> SQLiteConnection {
    try SQLiteConnection(
      path: file(name),
      configuration: SQLiteConfiguration(access: .readWriteExisting, busyTimeout: 5))
  }
}

/// Collects the SQL that a store runs.
final class Recorder: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func note(_ line: String) { lock.withLock { lines.append(line) } }
  func clear() { lock.withLock { lines.removeAll() } }

  /// The statements that do more than begin and end a transaction.
  var work: [String] {
    lock.withLock { lines }.filter { line in
      !["BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "--"].contains { line.hasPrefix($0) }
    }
  }

  /// Whether so many statements did work. True on an engine that logs none.
  func ran(_ count: Int) -> Bool {
    !TestedEngine.current.has(.statements) || work.count == count
  }

  /// Whether so many statements wrote. True on an engine that logs none.
  func wrote(_ count: Int) -> Bool {
    !TestedEngine.current.has(.statements) || writes.count == count
  }

  /// The statements that write.
  var writes: [String] {
    work.filter { line in
      ["INSERT", "UPDATE", "DELETE"].contains { line.hasPrefix($0) }
    }
  }
}

/// Hands on what a database logs.
struct RecordingHandler: LogHandler {
  let recorder: Recorder
  var logLevel = Logger.Level.trace
  var metadata = Logger.Metadata()

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { recorder.note("\(event.message)") }
}

extension MagicData {
  /// Opens a database that tells what it runs.
  static func open(_ path: String, _ recorder: Recorder) async throws -> MagicData {
    let logger = Logger(label: "test") { _ in RecordingHandler(recorder: recorder) }
    return try await MagicData.onTestedEngine(path: path, options: MagicOptions(logger: logger))
  }
}

/// Expects an error with a code.
func expect(
  _ code: MagicError.Code, at location: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  do {
    try await body()
    Issue.record("Nothing was thrown.", sourceLocation: location)
  } catch let error as MagicError {
    #expect(error.code == code, "\(error)", sourceLocation: location)
  } catch {
    Issue.record("\(error)", sourceLocation: location)
  }
}

// MARK: Models

struct Track: MagicObject {
  @MagicValue var title: String
  @MagicValue var seconds: Int = 0
  @ReverseMagicValue(\Album.$tracks) var albums: AsyncReverseMagicSet<Album>
  @ReverseMagicValue(\Album.$bonus) var bonusOf: AsyncReverseMagicSet<Album>
  @ReverseMagicValue(\Album.$named) var namedIn: AsyncReverseMagicSet<Album>

  init() {}

  init(_ title: String, seconds: Int = 0) {
    self.title = title
    self.seconds = seconds
  }
}

struct Artist: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var age: Int = 0
  @ReverseMagicValue(\Album.$artist) var albums: AsyncReverseMagicSet<Album>
  @ReverseMagicValue(\Album.$producer) var produced: AsyncReverseMagicSet<Album>

  init() {}

  init(_ name: String, age: Int = 0) {
    self.name = name
    self.age = age
  }
}

struct Album: MagicObject {
  @MagicValue var title: String
  @MagicValue var artist: AsyncMagical<Artist>
  @OptionMagicValue var producer: AsyncMagical<Artist>?
  @MagicValue var tracks: AsyncMagical<[Track]> = .init(value: [])
  @MagicValue var bonus: AsyncMagical<MagicalSet<Track>> = .init(value: [])
  @MagicValue var named: AsyncMagical<[String: Track]> = .init(value: [:])

  init() {}

  init(_ title: String, by artist: Artist, tracks: [Track] = []) {
    self.title = title
    self.artist = .init(value: artist)
    self.tracks = .init(value: tracks)
  }
}

extension [Track] {
  var titles: [String] { map(\.title) }
}
