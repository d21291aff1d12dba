import CMagicSQLite
import Foundation

/// A file that SQLite has open on a simulated disk. The memory that SQLite allocates contains the
/// pointer to the methods, a reference to this object, and then the system's own file structure.
final class OpenDiskFile {
  static let headerSize = 16

  let disk: SimulatedDisk
  let path: String
  /// Whether the next sync also syncs the directory, as SQLite does for logs that it may have
  /// created.
  private var syncsDirectory: Bool

  private init(_ path: String, on disk: SimulatedDisk, isLog: Bool) {
    self.path = path
    self.disk = disk
    syncsDirectory = isLog
  }

  /// - Parameter name: SQLite's pointer to the path; SQLite stores URI parameters after the path.
  static func open(
    _ name: UnsafePointer<CChar>?, _ path: String, on disk: SimulatedDisk,
    _ memory: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    memory.pointee.pMethods = nil
    guard disk.fault(at: .open) == nil, let vfs = DiskVFS.base else { return SQLITE_CANTOPEN }
    let isNew = access(path, F_OK) != 0
    let code = vfs.pointee.xOpen(vfs, name, base(of: memory), flags, outFlags)
    guard code == SQLITE_OK else { return code }
    if isNew { disk.noteNewFile(at: path) } else { disk.noteOpening(of: path) }
    let isLog = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0
    let file = OpenDiskFile(path, on: disk, isLog: isLog && flags & SQLITE_OPEN_CREATE != 0)
    place(in: memory).pointee = Unmanaged.passRetained(file).toOpaque()
    memory.pointee.pMethods = UnsafePointer(methods)
    return SQLITE_OK
  }

  // MARK: Methods

  private func write(
    _ base: Base, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    let fault =
      disk.fault(at: .write)
      ?? disk.faultToGrow(to: offset + Int64(count)) {
        var size: Int64 = 0
        _ = base.pointee.pMethods.pointee.xFileSize(base, &size)
        return size
      }
    switch fault {
    case ENOSPC?: return SQLITE_FULL
    // The disk falsely reports success.
    case 0?: return SQLITE_OK
    case EINTR?:
      _ = store(base, bytes, count / 2, offset)
      return InputOutputCode.write
    case _?: return InputOutputCode.write
    case nil: return store(base, bytes, count, offset)
    }
  }

  private func store(
    _ base: Base, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    let code = base.pointee.pMethods.pointee.xWrite(base, bytes, count, offset)
    guard code == SQLITE_OK else { return code }
    disk.note(
      .write(
        offset: Int(offset),
        bytes: Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))), to: path)
    return SQLITE_OK
  }

  private func sync() -> Int32 {
    switch disk.fault(at: .sync) {
    case nil: break
    case 0?: return SQLITE_OK
    case _?:
      disk.noteFailedSync(of: path)
      return InputOutputCode.sync
    }
    disk.noteSync(of: path)
    if syncsDirectory { disk.noteSync(ofDirectory: directory(of: path)) }
    syncsDirectory = false
    return SQLITE_OK
  }

  private func truncate(_ base: Base, _ size: Int64) -> Int32 {
    guard disk.fault(at: .truncate) == nil else { return InputOutputCode.truncate }
    let code = base.pointee.pMethods.pointee.xTruncate(base, size)
    if code == SQLITE_OK { disk.note(.truncate(size: Int(size)), to: path) }
    return code
  }

  // MARK: Memory

  typealias Base = UnsafeMutablePointer<sqlite3_file>

  private static func place(
    in memory: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    (UnsafeMutableRawPointer(memory) + 8).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  private static func base(of memory: UnsafeMutablePointer<sqlite3_file>) -> Base {
    (UnsafeMutableRawPointer(memory) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }

  /// Calls the body with the file in SQLite's memory and the system's file structure.
  private static func using(
    _ memory: UnsafeMutablePointer<sqlite3_file>?, _ failure: Int32,
    _ call: DiskCall? = nil, _ body: (OpenDiskFile, Base) -> Int32
  ) -> Int32 {
    guard let memory, let reference = place(in: memory).pointee else { return failure }
    let file = Unmanaged<OpenDiskFile>.fromOpaque(reference).takeUnretainedValue()
    if let call, file.disk.fault(at: call) != nil { return failure }
    return body(file, base(of: memory))
  }

  /// The methods of all files; never freed.
  private nonisolated(unsafe) static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    // Version 2 has shared memory for the index of the log, and no memory mapping of pages.
    methods.pointee.iVersion = 2
    methods.pointee.xClose = { memory in
      using(memory, SQLITE_OK) { file, base in
        memory.map { place(in: $0).pointee = nil }
        Unmanaged.passUnretained(file).release()
        return base.pointee.pMethods.pointee.xClose(base)
      }
    }
    methods.pointee.xRead = { memory, buffer, count, offset in
      using(memory, InputOutputCode.read, .read) { _, base in
        base.pointee.pMethods.pointee.xRead(base, buffer, count, offset)
      }
    }
    methods.pointee.xWrite = { memory, bytes, count, offset in
      using(memory, InputOutputCode.write) { $0.write($1, bytes, count, offset) }
    }
    methods.pointee.xTruncate = { memory, size in
      using(memory, InputOutputCode.truncate) { $0.truncate($1, size) }
    }
    methods.pointee.xSync = { memory, _ in
      using(memory, InputOutputCode.sync) { file, _ in file.sync() }
    }
    methods.pointee.xFileSize = { memory, size in
      using(memory, InputOutputCode.size, .size) { _, base in
        base.pointee.pMethods.pointee.xFileSize(base, size)
      }
    }
    methods.pointee.xLock = { memory, level in
      using(memory, InputOutputCode.lock, .lock) { _, base in
        base.pointee.pMethods.pointee.xLock(base, level)
      }
    }
    methods.pointee.xUnlock = { memory, level in
      using(memory, InputOutputCode.unlock) { _, base in
        base.pointee.pMethods.pointee.xUnlock(base, level)
      }
    }
    methods.pointee.xCheckReservedLock = { memory, result in
      using(memory, InputOutputCode.checkReservedLock) { _, base in
        base.pointee.pMethods.pointee.xCheckReservedLock(base, result)
      }
    }
    methods.pointee.xFileControl = { memory, operation, argument in
      using(memory, SQLITE_NOTFOUND) { _, base in
        base.pointee.pMethods.pointee.xFileControl(base, operation, argument)
      }
    }
    methods.pointee.xSectorSize = { memory in
      using(memory, 4_096) { _, base in base.pointee.pMethods.pointee.xSectorSize(base) }
    }
    methods.pointee.xDeviceCharacteristics = { memory in
      using(memory, 0) { _, base in base.pointee.pMethods.pointee.xDeviceCharacteristics(base) }
    }
    methods.pointee.xShmMap = { memory, page, size, extends, result in
      using(memory, InputOutputCode.sharedMap, .map) { _, base in
        base.pointee.pMethods.pointee.xShmMap(base, page, size, extends, result)
      }
    }
    methods.pointee.xShmLock = { memory, offset, count, flags in
      // Releasing a lock does not fail.
      using(memory, InputOutputCode.sharedLock, flags & SQLITE_SHM_UNLOCK != 0 ? nil : .lock) {
        $1.pointee.pMethods.pointee.xShmLock($1, offset, count, flags)
      }
    }
    methods.pointee.xShmBarrier = { memory in
      _ = using(memory, SQLITE_OK) { _, base in
        base.pointee.pMethods.pointee.xShmBarrier(base)
        return SQLITE_OK
      }
    }
    methods.pointee.xShmUnmap = { memory, deletes in
      using(memory, SQLITE_OK) { _, base in
        base.pointee.pMethods.pointee.xShmUnmap(base, deletes)
      }
    }
    return methods
  }()
}
