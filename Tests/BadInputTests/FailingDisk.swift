import CMagicSQLite
import MagicRuntime

/// What SQLite gets to know of the disk: every database that this process opens from
/// ``install()`` on is on a disk whose calls fail while they are told to.
///
/// For processes that run one test alone.
enum FailingDisk {
  enum Call {
    case read, write, sync
    /// Writing behind the end of a file, which takes room of the disk.
    case grow
  }

  private static let lock = Lock()
  private nonisolated(unsafe) static var fault: (call: Call, code: Int32)?
  private nonisolated(unsafe) static var failures = 0
  private nonisolated(unsafe) static var system: UnsafeMutablePointer<sqlite3_vfs>?
  /// What the system's files do; those of all kinds read, write and sync alike.
  private nonisolated(unsafe) static var base = sqlite3_io_methods()
  /// What ours do, by what the system's do. All of it stays for ever.
  private nonisolated(unsafe) static var made:
    [UnsafePointer<sqlite3_io_methods>: UnsafeMutablePointer<sqlite3_io_methods>] = [:]

  /// Lets all calls of a kind fail.
  static func fail(_ call: Call, with code: Int32) {
    lock.withLock {
      fault = (call, code)
      failures = 0
    }
  }

  /// Lets no call fail any more.
  ///
  /// - Returns: how many have failed.
  @discardableResult
  static func heal() -> Int {
    lock.withLock {
      fault = nil
      return failures
    }
  }

  private static func failure(of call: Call) -> Int32? {
    lock.withLock {
      guard let fault, fault.call == call else { return nil }
      failures += 1
      return fault.code
    }
  }

  private static func failureToGrow(
    _ file: UnsafeMutablePointer<sqlite3_file>?, to end: Int64
  ) -> Int32? {
    guard lock.withLock({ fault?.call == .grow }) else { return nil }
    var size: Int64 = 0
    _ = base.xFileSize?(file, &size)
    return end > size ? failure(of: .grow) : nil
  }

  static func install() {
    guard let system = sqlite3_vfs_find(nil) else { return }
    self.system = system
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: system.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.zName = UnsafePointer(copy(of: "failing"))
    vfs.pointee.xOpen = { _, name, file, flags, result in
      guard let system = FailingDisk.system, let open = system.pointee.xOpen else {
        return SQLITE_CANTOPEN
      }
      let code = open(system, name, file, flags, result)
      if code == SQLITE_OK, let file, let methods = file.pointee.pMethods {
        file.pointee.pMethods = FailingDisk.failing(methods)
      }
      return code
    }
    sqlite3_vfs_register(vfs, 1)
  }

  private static func copy(of name: String) -> UnsafeMutablePointer<CChar> {
    let bytes = Array(name.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    return copy
  }

  private static func failing(
    _ given: UnsafePointer<sqlite3_io_methods>
  ) -> UnsafePointer<sqlite3_io_methods> {
    lock.withLock {
      if let known = made[given] { return UnsafePointer(known) }
      base = given.pointee
      let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      methods.initialize(to: base)
      methods.pointee.xRead = { file, buffer, count, offset in
        FailingDisk.failure(of: .read)
          ?? FailingDisk.base.xRead?(file, buffer, count, offset) ?? SQLITE_IOERR
      }
      methods.pointee.xWrite = { file, buffer, count, offset in
        FailingDisk.failure(of: .write)
          ?? FailingDisk.failureToGrow(file, to: offset + Int64(count))
          ?? FailingDisk.base.xWrite?(file, buffer, count, offset) ?? SQLITE_IOERR
      }
      methods.pointee.xSync = { file, flags in
        FailingDisk.failure(of: .sync)
          ?? FailingDisk.base.xSync?(file, flags) ?? SQLITE_IOERR
      }
      made[given] = methods
      return UnsafePointer(methods)
    }
  }
}
