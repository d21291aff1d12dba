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
  private func makeSource(_ path: String) async throws {
    let magic = try await MagicData(path: path)
    let song = Song("One")
    song.sound = .init(value: Data([1, 2, 3]))
    try await magic.update(song)
    await magic.close()
  }

  @Test(arguments: [
    FileError.Operation.makeDirectory, .create, .write, .sync, .syncDirectory, .rename,
  ])
  func aFullDiskLeavesNothing(_ operation: FileError.Operation) async throws {
    let directory = try TemporaryDirectory()
    let (path, folder) = (directory.file("a.sqlite3").path, directory.file("export").path)
    try await makeSource(path)
    let faults = Faults<FileError.Operation>()
    faults.fail(operation, at: 1, with: ENOSPC, isLasting: true)
    func export() throws {
      let source = try SQLiteSource(path: path)
      defer { source.close() }
      let target = try FolderTarget(path: folder) {
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
    #expect(FileManager.default.fileExists(atPath: folder + "/database.json"))
  }
}
