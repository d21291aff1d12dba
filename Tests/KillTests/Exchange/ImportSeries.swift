import Foundation
import KillProgram
import MagicData
import MagicSQLite
import MagicTestSupport

/// Runs rounds in each of which the program imports and is killed. The database must then have whole
/// batches of the records or nothing, and a second import must complete it.
struct ImportSeries: Series {
  let mode: Mode
  let seed: UInt64
  private(set) var figures = ExchangeFigures()
  /// The violations that the last round found.
  private(set) var losses: [String] = []
  private var random: SeededRandom
  /// The number of rounds that used the steps.
  private var turn = 0
  private let directory: TemporaryDirectory
  /// The contents of the exported database.
  private let source: DatabaseDump

  /// The steps at which rounds end, in turn.
  private static let steps: [(step: Step, most: Int)] = [
    (.beforeCommit, 3), (.afterCommit, 3), (.statement, 400), (.progress, 3), (.statement, 30),
  ]

  static let required: [Step] = [.beforeCommit, .afterCommit, .statement, .progress]

  init(_ mode: Mode, seed: UInt64) throws {
    (self.mode, self.seed) = (mode, seed)
    random = SeededRandom(seed)
    directory = try TemporaryDirectory()
    let path = directory.file("source.sqlite3").path
    try ImportWork.writeLines(
      of: 1...ImportWork.count, to: ImportWork.linesPath(besides: path))
    let child = try Child(
      Arguments(path: path, workload: .export, mode: .sound, seed: seed), killedAfter: nil)
    if let failure = child.failure { losses.append("the export failed: \(failure)") }
    source = try DatabaseDump(of: path)
  }

  var endings: EndingCounts { figures.endings }

  mutating func runRound() async throws {
    let round = endings.rounds
    let path = directory.file("\(round).sqlite3").path
    let way = ImportWork.Way.allCases[round % 3]
    let ending = nextEnding(way, round)
    let child = try ending.run(
      path, .importing, mode, seed: UInt64(way.rawValue), countingIn: &figures.endings)
    if let failure = child.failure { losses.append("the program failed: \(failure)") }
    do {
      switch way {
      case .batches, .together: try await check(child, path, way)
      case .folder: try await checkFolder(child, path)
      }
    } catch {
      losses.append("an error was thrown: \(error)")
    }
    let place = "\(mode), seed \(seed), round \(round), \(way), \(ending.text(child)): "
    losses = losses.map { place + $0 }
  }

  private mutating func nextEnding(_ way: ImportWork.Way, _ round: Int) -> Ending {
    guard round / 3 % 3 != 2 else { return .killed(within: 300, using: &random) }
    // The import of a folder has no steps of statements.
    guard way != .folder else { return .inTurn([(.progress, 3)], 0, using: &random) }
    defer { turn += 1 }
    return .inTurn(Self.steps, turn, using: &random)
  }

  // MARK: Lines

  private mutating func check(
    _ child: Child, _ path: String, _ way: ImportWork.Way
  ) async throws {
    let stored = try count(path)
    let isWhole = stored == ImportWork.count || way == .batches && stored % ImportWork.batch == 0
    if stored > 0, !isWhole { losses.append("a part of a batch is stored: \(stored) records") }
    let acknowledged = child.nextRecord - 1
    if stored < acknowledged {
      losses.append("acknowledged records are missing: \(acknowledged - stored)")
    }
    switch stored {
    case 0: figures.absent += 1
    case ImportWork.count: figures.complete += 1
    default: figures.batches += 1
    }
    guard losses.isEmpty else { return }
    let magic = try await MagicData(path: path)
    var file = MagicImport(Parcel.self, from: ImportWork.linesPath(besides: path))
    file.commits = .eachBatch
    file.firstRecord = child.nextRecord
    try await magic.importObjects(file)
    losses += try await magic.verify().findings.map { "found by the library: \($0)" }
    await magic.close()
    figures.again += 1
    let completed = try count(path)
    if completed != ImportWork.count {
      losses.append("the second import did not complete the records: \(completed)")
    }
  }

  /// Returns the number of stored records, which must be the first ones of the file.
  private mutating func count(_ path: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let connection = try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
    defer { connection.close() }
    losses += try connection.damage()
    let tables = try connection.rows("SELECT name FROM sqlite_master WHERE name = 'Parcel'")
    guard !tables.isEmpty else { return 0 }
    let rows = try connection.rows("SELECT number, text, weight FROM Parcel ORDER BY number")
    for (number, row) in zip(1..., rows)
    where row != ["\(number)", Parcel.text(number), "\(Parcel.weight(number))"] {
      losses.append("the row of record \(number) has other values: \(row)")
      break
    }
    return rows.count
  }

  // MARK: Folders

  private mutating func checkFolder(_ child: Child, _ path: String) async throws {
    if FileManager.default.fileExists(atPath: path) {
      figures.complete += 1
    } else {
      figures.absent += 1
      if child.hasCopied { losses.append("the database is missing") }
      if !partials(of: path).isEmpty { figures.partial += 1 }
      try await MagicData.copy(
        from: .folder(ImportWork.folderPath(besides: path)), to: .file(path))
      figures.again += 1
      losses += partials(of: path).map { "remaining file of an import: \($0)" }
    }
    // A program that was killed after the database had its name may leave a mark in its folder, which
    // opening removes.
    let magic = try await MagicData(path: path)
    losses += try await magic.verify().findings.map { "found by the library: \($0)" }
    await magic.close()
    losses += try ExchangeFigures.differences(of: path, from: source)
      .map { "in the database: \($0)" }
  }

  private func partials(of path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.url.path)) ?? [])
      .filter { $0.hasPrefix(URL(fileURLWithPath: path).lastPathComponent + ".partial-") }
  }
}
