import Foundation
import MagicData

/// Imports parcels from lines of JSON into a database, or creates a database from an exported folder.
package struct ImportWork {
  /// What is imported, and when it is committed.
  package enum Way: Int, CaseIterable, Sendable {
    /// Lines, of which every 1,000 are committed.
    case batches
    /// Lines that are committed together.
    case together
    /// An exported folder.
    case folder

    init(seed: UInt64) { self = Self(rawValue: Int(seed % 3)) ?? .batches }
  }

  /// The number of parcels.
  package static let count = 2_500
  /// The number of parcels that are committed at once.
  package static let batch = 1_000

  private let path: String
  private let way: Way
  private let mode: Mode
  private let killSwitch: KillSwitch

  init(_ arguments: Arguments, _ killSwitch: KillSwitch) {
    (path, mode) = (arguments.path, arguments.mode)
    (way, self.killSwitch) = (Way(seed: arguments.seed), killSwitch)
  }

  /// The path of the lines, beside the databases.
  package static func linesPath(besides path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path + "/parcels.jsonl"
  }

  /// The path of the exported folder, beside the databases.
  package static func folderPath(besides path: String) -> String {
    ExportWork.folderPath(
      of: URL(fileURLWithPath: path).deletingLastPathComponent().path + "/source.sqlite3")
  }

  /// Writes the lines of some parcels.
  package static func writeLines(of numbers: ClosedRange<Int>, to path: String) throws {
    let lines = numbers.map { Parcel.line($0) + "\n" }.joined()
    try Data(lines.utf8).write(to: URL(fileURLWithPath: path))
  }

  func run() throws {
    guard way != .folder else { return try importFolder() }
    let options = killSwitch.options(mode, isSynced: false)
    let magic = try waiting { [path] in try await MagicData(path: path, options: options) }
    switch mode {
    case .twoTransactions: try importHalves(into: magic)
    default: try importLines(from: Self.linesPath(besides: path), into: magic)
    }
    Message.imported(Self.count + 1).send()
    try waiting { await magic.close() }
  }

  private func importLines(from lines: String, into magic: MagicData) throws {
    var file = MagicImport(Parcel.self, from: lines)
    file.commits = way == .batches ? .eachBatch : .together
    let committed = Slot<Int>()
    committed.value = 1
    if mode == .ackfirst {
      let acknowledged = way == .batches ? Self.batch : Self.count
      killSwitch.willCommit = {
        Message.imported(min(Self.count + 1, (committed.value ?? 1) + acknowledged)).send()
      }
    }
    try waiting { [file, killSwitch] in
      _ = try await magic.importObjects(file) { progress in
        committed.value = progress.nextRecord
        killSwitch.reportCommit()
        Message.imported(progress.nextRecord).send()
        killSwitch.pass(.progress)
      }
    }
    killSwitch.reportCommit()
  }

  /// A flaw: imports each half of a batch in a transaction of its own.
  private func importHalves(into magic: MagicData) throws {
    let (half, lines) = (Self.batch / 2, path + ".half.jsonl")
    for first in stride(from: 1, through: Self.count, by: half) {
      try Self.writeLines(of: first...min(first + half - 1, Self.count), to: lines)
      let file = MagicImport(Parcel.self, from: lines)
      try waiting { _ = try await magic.importObjects(file) }
      killSwitch.reportCommit()
      killSwitch.pass(.progress)
    }
  }

  private func importFolder() throws {
    try waiting { [path, killSwitch] in
      _ = try await MagicData.copy(
        from: .folder(Self.folderPath(besides: path)), to: .file(path)
      ) { _ in killSwitch.pass(.progress) }
    }
    Message.copied.send()
  }
}
