import Foundation
import KillProgram
import MagicData
import MagicFiles
import MagicTestSupport

/// Runs rounds in each of which the program exports its database and is killed. The folder must then be
/// complete or absent, and what remains of an unfinished one must not pass for a complete one.
struct ExportSeries: Series {
  let mode: Mode
  let seed: UInt64
  private(set) var figures = ExchangeFigures()
  /// The violations that the last round found.
  private(set) var losses: [String] = []
  private var random: SeededRandom
  private var directory: TemporaryDirectory

  /// The steps at which rounds end, in turn.
  private static let steps: [(step: Step, most: Int)] = [
    (.after(.write), 6), (.after(.create), 4), (.before(.rename), 1), (.after(.rename), 1),
    (.progress, 3), (.after(.close), 4), (.after(.syncDirectory), 2), (.after(.makeDirectory), 2),
    (.any, 40), (.before(.syncDirectory), 1), (.after(.sync), 6),
  ]

  static let required: [Step] = [
    .after(.create), .after(.write), .before(.rename), .after(.rename), .after(.syncDirectory),
  ]

  init(_ mode: Mode, seed: UInt64) throws {
    (self.mode, self.seed) = (mode, seed)
    random = SeededRandom(seed)
    directory = try TemporaryDirectory()
  }

  var endings: EndingCounts { figures.endings }

  private var path: String { directory.file("test.sqlite3").path }
  private var folder: String { ExportWork.folderPath(of: path) }

  mutating func runRound() async throws {
    let round = endings.rounds
    directory = try TemporaryDirectory()
    let seed = random.next()
    let ending =
      round % 4 == 3
      ? Ending.killed(within: 150, using: &random)
      : .inTurn(Self.steps, endings.stepped, using: &random)
    let child = try ending.run(path, .export, mode, seed: seed, countingIn: &figures.endings)
    do {
      try await check(child)
    } catch {
      losses.append("an error was thrown: \(error)")
    }
    let place = "\(mode), seed \(self.seed), round \(round), \(ending.text(child)): "
    losses = losses.map { place + $0 }
  }

  private mutating func check(_ child: Child) async throws {
    if let failure = child.failure { losses.append("the program failed: \(failure)") }
    // Before the export there may be no database.
    guard child.acknowledgedBeforeCopy != nil else { return }
    let source = try DatabaseDump(of: path)
    losses += source.faults
    let isComplete = FileManager.default.fileExists(atPath: folder)
    if isComplete {
      figures.complete += 1
      try await compare(folder, source, "in the export")
      try FileManager.default.removeItem(atPath: folder)
    } else {
      figures.absent += 1
      if child.hasCopied { losses.append("the export is missing") }
    }
    for partial in partials() {
      figures.partial += 1
      if try await isRefused(partial) { continue }
      try await compare(partial, source, "in an unfinished export")
    }
    try await exportAgain(source)
  }

  /// Whether the import of a folder is refused, as that of a folder without all files must be.
  private mutating func isRefused(_ folder: String) async throws -> Bool {
    do {
      try await MagicData.copy(from: .folder(folder), to: .file(newPath()))
      return false
    } catch let error as MagicError
      where [.notADatabase, .cannotOpen, .corrupt, .assetMissing].contains(error.code)
    {
      figures.refused += 1
      return true
    }
  }

  private mutating func compare(
    _ folder: String, _ source: DatabaseDump, _ place: String
  ) async throws {
    let imported = newPath()
    do {
      try await MagicData.copy(from: .folder(folder), to: .file(imported))
    } catch let error as MagicError {
      losses.append("\(place): \(error)")
      return
    }
    losses += try ExchangeFigures.differences(of: imported, from: source)
      .map { "\(place): \($0)" }
  }

  /// Checks that an export to the same path succeeds, and removes the folders of unfinished exports.
  private mutating func exportAgain(_ source: DatabaseDump) async throws {
    // Folders that were just created are kept, because their export may be about to lock them.
    for partial in partials() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date().addingTimeInterval(-120)], ofItemAtPath: partial)
    }
    try await MagicData.copy(from: .file(path), to: .folder(folder))
    figures.again += 1
    try await compare(folder, source, "in the second export")
    losses += partials().map { "remaining folder of an export: \($0)" }
  }

  private func newPath() -> String {
    directory.file("imported-\(UUID().uuidString).sqlite3").path
  }

  private func partials() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.url.path)) ?? [])
      .filter { $0.hasPrefix("magic-export-") }.map { directory.file($0).path }
  }
}
