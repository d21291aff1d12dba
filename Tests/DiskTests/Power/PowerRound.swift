import DiskSimulation
import Foundation
import MagicData
import MagicRuntime
import MagicSQLite
import MagicStore
import MagicTestSupport

/// A program whose power fails at some of its steps. The contents that remain on the disk are
/// compared with the state that had been acknowledged at that moment.
struct PowerRound {
  /// Deliberate flaws, which the rounds must detect.
  enum Flaw: Sendable, CaseIterable {
    /// Commits are not synced.
    case unsyncedCommits
    /// The disk reports that a sync is complete although it did nothing.
    case ignoredSyncs
    /// Asset files are not synced.
    case unsyncedFiles
    /// Directories are not synced.
    case unsyncedDirectories
  }

  let durability: MagicOptions.Durability
  let seed: UInt64
  var flaw: Flaw?
  /// Whether some syncs fail.
  var failsSyncs = false

  /// The violations that were found.
  private(set) var findings: [String] = []
  private(set) var figures = PowerFigures()

  init(_ durability: MagicOptions.Durability, seed: UInt64) {
    self.durability = durability
    self.seed = seed
  }

  mutating func run() async throws {
    var random = SeededRandom(seed)
    let directory = try TemporaryDirectory()
    let disk = try SimulatedDisk(at: try await makeFolder(directory), recordsChanges: true)
    defer { disk.end() }
    disk.discardsAfterFailedSync = true
    disk.ignoresSyncs = flaw == .ignoredSyncs
    let world = World(on: disk, durability: durability, flaw: flaw)
    let work = PowerWork(world, seed: random.next())
    let moments = Moments(of: disk, work, directory.url, &random)
    disk.onStep = { moments.step() }
    do {
      try await work.begin()
      if flaw == .unsyncedCommits { try await world.disableSyncs() }
      for _ in 0..<12 {
        if failsSyncs, Int.random(in: 0..<3, using: &random) == 0 {
          disk.calls.fail(.sync, at: Int.random(in: 1...2, using: &random), with: EIO)
        }
        try await step(work)
      }
    } catch {
      findings.append("the work failed: \(error)")
    }
    disk.heal()
    moments.cut()
    disk.onStep = nil
    await world.close()
    for moment in moments.all { try await check(moment) }
  }

  /// Performs a call. If a sync of the disk fails the call, the program continues.
  private mutating func step(_ work: PowerWork) async throws {
    do {
      try await work.step()
    } catch let error as MagicError where failsSyncs && error.code == .inputOutput {
      figures.failures += 1
    }
  }

  private func makeFolder(_ directory: TemporaryDirectory) async throws -> URL {
    let folder = directory.url.appendingPathComponent("disk")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await World.prepare(at: folder.appendingPathComponent("test.sqlite3").path)
    return folder
  }

  // MARK: The contents after a power failure

  private mutating func check(_ moment: Moments.Moment) async throws {
    figures.moments += 1
    figures.acknowledged += moment.acknowledged.count
    let place = "seed \(seed), step \(moment.step): "
    do {
      let left = try await read(moment)
      judge(left, moment, place)
    } catch {
      figures.unreadable += 1
      findings.append(place + "the database cannot be read: \(error)")
    }
  }

  private mutating func read(_ moment: Moments.Moment) async throws -> Contents {
    let path = moment.folder.appendingPathComponent("test.sqlite3").path
    let isMigrated = try isMigrated(path)
    let magic = try await MagicData(path: path)
    do {
      let contents = try await Contents(reading: magic, isMigrated: isMigrated)
      let report = try await magic.verify()
      findings += report.findings.filter { $0.kind.isFault && !isUnfinished($0.file) }
        .map { "\($0)" }
      await magic.close()
      let dump = try DatabaseDump(of: path)
      findings += dump.faults + dump.leftovers.filter { !isUnfinished($0) }
      figures.objects += contents.count
      return contents
    } catch {
      await magic.close()
      throw error
    }
  }

  /// Whether a file had not been renamed to its final name yet. A remaining file of this kind is no
  /// fault: a later open finds it only if its marker file reached the disk first, and the simulated
  /// file system orders no operations.
  private func isUnfinished(_ file: String?) -> Bool { file?.hasSuffix("~") == true }

  private func isMigrated(_ path: String) throws -> Bool {
    let connection = try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
    defer { connection.close() }
    return try connection.rows("SELECT name FROM pragma_table_info('Plate')").contains(["stars"])
  }

  private mutating func judge(_ left: Contents, _ moment: Moments.Moment, _ place: String) {
    if left == moment.acknowledged.last { return }
    if moment.intended.contains(left) {
      figures.unacknowledged += 1
      return
    }
    guard let index = moment.acknowledged.lastIndex(of: left) else {
      figures.impossible += 1
      let differences = moment.acknowledged.last.map { left.differences(from: $0) } ?? []
      findings.append(place + "a state that was never stored: \(differences)")
      return
    }
    figures.lost += moment.acknowledged.count - 1 - index
    if durability == .full {
      findings.append(place + "\(moment.acknowledged.count - 1 - index) saves are missing")
    }
  }
}

/// The counts of some rounds.
struct PowerFigures {
  var moments = 0
  var acknowledged = 0
  var objects = 0
  var unacknowledged = 0
  /// Calls that failed with the disk.
  var failures = 0
  /// Saves that were acknowledged and are missing.
  var lost = 0
  /// Power failures after which the database cannot be read.
  var unreadable = 0
  /// Power failures after which the database is in a state that was never stored.
  var impossible = 0

  mutating func add(_ other: PowerFigures) {
    moments += other.moments
    acknowledged += other.acknowledged
    objects += other.objects
    unacknowledged += other.unacknowledged
    failures += other.failures
    lost += other.lost
    unreadable += other.unreadable
    impossible += other.impossible
  }

  var text: String {
    "\(moments) power failures after \(acknowledged) saves in all, \(objects) objects verified, "
      + "\(unacknowledged) unacknowledged saves stored, \(failures) calls failed, "
      + "\(lost) saves lost, \(unreadable) databases unreadable, \(impossible) in impossible states"
  }
}
