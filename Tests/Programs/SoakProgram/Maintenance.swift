import Foundation
import MagicData
import MagicStore
import MagicTestSupport

/// Verifies and copies the database while it is used, and opens and closes further handles of it.
struct Maintenance: Sendable {
  let magic: MagicData
  let ledger: Ledger
  let settings: Settings

  private var copyPath: String { settings.path + ".copy" }

  private func repeating(
    every milliseconds: Int, _ name: String, _ body: () async throws -> Void
  ) async {
    do {
      while !ledger.isDone {
        try await body()
        ledger.count(name)
        try? await Task.sleep(for: .milliseconds(milliseconds))
      }
    } catch {
      ledger.note("\(name): \(error)")
    }
  }

  func verify() async {
    await repeating(every: 2_000, "verify") {
      let report = try await magic.verify()
      try ledger.check("verify", report.isSound, "\(report)")
      let repaired = try await magic.repair()
      try ledger.check("repair", repaired.findings.isEmpty, "\(repaired)")
    }
  }

  func backUp() async {
    var random = SeededRandom(settings.seed &+ 1)
    await repeating(every: 3_000, "backup") {
      let before = ledger.acknowledged
      try await magic.backup(to: copyPath)
      try await checkCopy(before, ledger.begun)
      try removeCopy()
      try await cancelBackup(after: .random(in: 0...20, using: &random))
    }
  }

  /// Checks that the copy is consistent, and has all that was acknowledged before the backup began.
  private func checkCopy(_ before: [Int: Int], _ after: [Int: Int]) async throws {
    let copy = try await MagicData(path: copyPath)
    let report = try await copy.verify()
    try ledger.check("backup", report.isSound, "\(report)")
    _ = try await Bank(copy, ledger, .sound).checkSum()
    let beats = try await copy.object(of: Beat.self)
    let counts = Dictionary(uniqueKeysWithValues: beats.map { ($0.number, $0.count) })
    for (number, count) in before {
      let copied = counts[number] ?? 0
      try ledger.check(
        "backup has", (count...(after[number] ?? count)).contains(copied),
        "counter \(number) is \(copied) in the copy, and was \(count) before")
    }
    for crate in try await copy.object(of: Crate.self) { _ = try await CrateState.read(crate) }
    await copy.close()
  }

  private func removeCopy() throws {
    for name in ["", "-assets"] where FileManager.default.fileExists(atPath: copyPath + name) {
      try FileManager.default.removeItem(atPath: copyPath + name)
    }
  }

  private func cancelBackup(after milliseconds: Int) async throws {
    let task = Task { try await magic.backup(to: copyPath) }
    try? await Task.sleep(for: .milliseconds(milliseconds))
    task.cancel()
    do {
      try await task.value
      try removeCopy()
    } catch is CancellationError {
      let directory = URL(fileURLWithPath: copyPath).deletingLastPathComponent().path
      let left = try FileManager.default.contentsOfDirectory(atPath: directory)
        .filter { $0.contains(".copy") }
      try ledger.check("cancelled backup", left.isEmpty, "remaining files: \(left)")
    }
  }

  /// Opens further handles of the file, and closes or releases them.
  func openAgain() async {
    var random = SeededRandom(settings.seed &+ 2)
    await repeating(every: 50, "open again") {
      let other = try await MagicData(path: settings.path)
      _ = try await Bank(other, ledger, .sound).checkSum()
      if Bool.random(using: &random) { await other.close() }
    }
  }

  /// Opens a synchronous store of the file, and saves with it.
  func useStore() async {
    let number = 1_000_000
    await repeating(every: 50, "store") {
      try await onThread {
        let store = try MagicObjectStore.open(.file(settings.path))
        defer { store.close() }
        let beat = try store.first(of: Beat.self) { $0.number == number } ?? Beat(number)
        beat.count += 1
        ledger.begin(beat: number, beat.count)
        try store.update(beat)
        ledger.acknowledge(beat: number, beat.count)
      }
    }
  }

  /// Runs a blocking closure on a new thread.
  private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try body() }) }.start()
    }
  }
}
