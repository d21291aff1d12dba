package import DatabaseTransfer
import DiskSimulation
import Foundation
import MagicData
import MagicFiles
import MagicTestSupport
import Testing

/// A copy to a new database file on a disk that becomes full.
///
/// Call it in a process of its own: a simulated disk replaces the file system of all connections.
package struct FullDiskCopy {
  private let scratch = Scratch()
  private let makeSource: () throws -> any TransferSource

  package init(from makeSource: @escaping () throws -> any TransferSource) {
    self.makeSource = makeSource
  }

  /// Fills the disk at each step of the copy, one after another. The copy must throw `.diskFull` and
  /// leave nothing.
  ///
  /// - Parameter path: the file that is copied. It must not change.
  package func check(besides path: String) throws {
    let before = try FileSnapshot(of: URL(fileURLWithPath: path))
    let disk = try SimulatedDisk(at: scratch.directory)
    try copy(on: disk)
    let (writes, files) = (disk.calls.counts[.write] ?? 0, disk.files.counts)
    #expect(writes > 10)
    for operation in [FileError.Operation.create, .sync, .rename] {
      #expect((files[operation] ?? 0) > 0, "\(operation)")
    }
    for position in 1...writes {
      disk.calls.fail(.write, at: position, with: ENOSPC, isLasting: true)
      expectNothing(on: disk, "write \(position)")
    }
    for operation in [FileError.Operation.makeDirectory, .create, .write, .sync, .rename] {
      for position in 1...max(1, files[operation] ?? 0) where files[operation] != nil {
        disk.files.fail(operation, at: position, with: ENOSPC, isLasting: true)
        expectNothing(on: disk, "\(operation) \(position)")
      }
    }
    #expect(try before.changes() == [])
    disk.heal()
    try copy(on: disk)
  }

  private func expectNothing(on disk: SimulatedDisk, _ step: String) {
    do {
      try copy(on: disk)
      Issue.record("The disk was not full at \(step).")
    } catch {
      #expect((error as? MagicError)?.code == .diskFull, "\(step): \(error)")
    }
    #expect(scratch.names == [], "\(step)")
    disk.heal()
  }

  /// Copies the database, and removes the copy.
  private func copy(on disk: SimulatedDisk) throws {
    let source = try makeSource()
    defer { source.close() }
    let target = try SQLiteTarget(path: scratch.file()) { disk.fileSystem($0, $1) }
    var transfer = DatabaseTransfer(from: source, to: target) { _ in }
    _ = try transfer.run()
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path) {
      try FileManager.default.removeItem(atPath: scratch.file(name))
    }
  }
}
