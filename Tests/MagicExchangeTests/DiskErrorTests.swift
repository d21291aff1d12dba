import CopySupport
import DatabaseTransfer
import Foundation
import MagicData
import MagicExchange
import MagicFiles
import MagicTestSupport
import Testing

/// Errors of the disk during an export.
@Suite struct DiskErrorTests {
  @Test func anExportRemovesWhatAKilledOneHasLeft() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.sqlite3").path
    try await makeSource(path)
    func leave(_ name: String, age: Double) throws -> String {
      let folder = directory.file(name).path
      try FileManager.default.createDirectory(
        atPath: folder + "/assets", withIntermediateDirectories: true)
      try FileManager.default.setAttributes(
        [.modificationDate: Date().addingTimeInterval(-age)], ofItemAtPath: folder)
      return folder
    }
    let old = try leave("magic-export-\(UUID())", age: 600)
    let young = try leave("magic-export-\(UUID())", age: 0)
    let running = try leave("magic-export-\(UUID())", age: 600)
    let other = try leave("magic-export-notes", age: 600)
    let descriptor = open(running, O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try await MagicData.copy(
      from: .file(path), to: .folder(directory.file("export").path))
    let left = [old, young, running, other].map(FileManager.default.fileExists)
    #expect(left == [false, true, true, true])
  }

  @Test func aFailedExportRemovesTheDirectoriesThatItHasCreated() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.sqlite3").path
    try await makeSource(path)
    let folder = directory.file("new/deep/export").path
    let task = Task {
      try await MagicData.copy(from: .file(path), to: .folder(folder)) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!FileManager.default.fileExists(atPath: directory.file("new").path))
    try await MagicData.copy(from: .file(path), to: .folder(folder))
    #expect(FileManager.default.fileExists(atPath: folder + "/database.json"))
  }

  private func makeSource(_ path: String) async throws {
    let magic = try await MagicData(path: path)
    let song = Song("One")
    song.sound = .init(value: Data([1, 2, 3]))
    try await magic.update(song)
    await magic.close()
  }

  /// An exported form, and a file that it always has.
  enum Form: String, CaseIterable {
    case folder = "database.json"
    case csv = "Song.csv"
    case sql = "database.sql"

    func target(
      _ path: String, on makeFileSystem: @Sendable (String, FileDurability) -> any FileSystem
    ) throws -> any TransferTarget {
      switch self {
      case .folder: try FolderTarget(path: path, on: makeFileSystem)
      case .csv: try TextTarget(path: path, .csv, on: makeFileSystem)
      case .sql: try TextTarget(path: path, .sql, on: makeFileSystem)
      }
    }
  }

  @Test(
    arguments: Form.allCases,
    [FileError.Operation.makeDirectory, .create, .write, .sync, .syncDirectory, .rename])
  func aFullDiskLeavesNothing(_ form: Form, _ operation: FileError.Operation) async throws {
    let directory = try TemporaryDirectory()
    let (path, folder) = (directory.file("a.sqlite3").path, directory.file("export").path)
    try await makeSource(path)
    let faults = Faults<FileError.Operation>()
    faults.fail(operation, at: 1, with: ENOSPC, isLasting: true)
    func export() throws {
      let source = try SQLiteSource(path: path)
      defer { source.close() }
      let target = try form.target(folder) {
        FaultyFileSystem(DiskFileSystem(root: $0, durability: $1), faults: faults)
      }
      var transfer = DatabaseTransfer(from: source, to: target) { _ in }
      _ = try transfer.run()
    }
    do {
      try export()
      Issue.record("The disk was not full.")
    } catch {
      #expect((error as? MagicError)?.code == .diskFull)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(left.filter { $0.hasPrefix("export") } == [])
    faults.heal()
    try export()
    #expect(FileManager.default.fileExists(atPath: "\(folder)/\(form.rawValue)"))
  }
}
