import CMagicSQLite
import Foundation
import MagicRuntime

/// The default VFS of SQLite: it observes files on simulated disks, and passes the calls for all
/// other files to the system's VFS.
final class DiskVFS: Locked, @unchecked Sendable {
  static let shared = DiskVFS()

  private var disks: [SimulatedDisk] = []
  private var isRegistered = false
  /// The system's VFS. It and this one exist until the process ends.
  nonisolated(unsafe) static let base = sqlite3_vfs_find(nil)
  private nonisolated(unsafe) static let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(
    capacity: 1)

  struct NoVFS: Error {}

  func watch(_ disk: SimulatedDisk) throws {
    lock()
    defer { unlock() }
    try register()
    disks.append(disk)
  }

  func unwatch(_ disk: SimulatedDisk) { withLock { disks.removeAll { $0 === disk } } }

  /// The simulated disk of a file.
  private func disk(of path: UnsafePointer<CChar>?) -> (SimulatedDisk, path: String)? {
    guard let path else { return nil }
    let text = String(cString: path)
    return withLock { disks.first { text.hasPrefix($0.folder.path + "/") } }.map { ($0, text) }
  }

  private func register() throws {
    guard !isRegistered else { return }
    guard let base = Self.base else { throw NoVFS() }
    Self.vfs.initialize(to: base.pointee)
    // Never freed: SQLite uses them until the process ends.
    Self.vfs.pointee.zName = UnsafePointer(strdup("simulated-disk"))
    Self.vfs.pointee.szOsFile = Int32(OpenDiskFile.headerSize) + base.pointee.szOsFile
    Self.vfs.pointee.xOpen = { _, name, file, flags, outFlags in
      guard let file else { return SQLITE_CANTOPEN }
      guard let (disk, path) = DiskVFS.shared.disk(of: name) else {
        return DiskVFS.base?.pointee.xOpen(DiskVFS.base, name, file, flags, outFlags)
          ?? SQLITE_CANTOPEN
      }
      return OpenDiskFile.open(name, path, on: disk, file, flags, outFlags)
    }
    Self.vfs.pointee.xDelete = { _, path, syncsDirectory in
      let place = DiskVFS.shared.disk(of: path)
      if place?.0.fault(at: .delete) != nil { return InputOutputCode.delete }
      let code = DiskVFS.base?.pointee.xDelete(DiskVFS.base, path, 0) ?? InputOutputCode.delete
      if let (disk, path) = place, code == SQLITE_OK, syncsDirectory != 0 {
        disk.noteSync(ofDirectory: directory(of: path))
      }
      return code
    }
    Self.vfs.pointee.xAccess = { _, path, flags, result in
      if let (disk, _) = DiskVFS.shared.disk(of: path), disk.fault(at: .access) != nil {
        return InputOutputCode.access
      }
      return DiskVFS.base?.pointee.xAccess(DiskVFS.base, path, flags, result)
        ?? InputOutputCode.access
    }
    Self.vfs.pointee.xFullPathname = { _, path, count, result in
      DiskVFS.base?.pointee.xFullPathname(DiskVFS.base, path, count, result) ?? SQLITE_CANTOPEN
    }
    guard sqlite3_vfs_register(Self.vfs, 1) == SQLITE_OK else { throw NoVFS() }
    isRegistered = true
  }
}

/// The directory of a file.
func directory(of path: String) -> String {
  URL(fileURLWithPath: path).deletingLastPathComponent().path
}
