import Foundation

/// An open file or directory of the operating system, closed on deinitialisation.
final class Descriptor: Sendable {
  let number: Int32

  private init(_ number: Int32) { self.number = number }

  deinit { _ = close(number) }

  /// Opens a name in a directory; returns nil and sets `errno` if that fails.
  static func opened(
    _ name: String, in directory: Descriptor?, _ flags: Int32, mode: mode_t = 0
  ) -> Descriptor? {
    let number = retryingOnInterrupt {
      openat(directory?.number ?? AT_FDCWD, name, flags | O_CLOEXEC, mode)
    }
    return number < 0 ? nil : Descriptor(number)
  }

  var status: stat? {
    var status = stat()
    return fstat(number, &status) == 0 ? status : nil
  }

  /// Syncs the written data to disk.
  ///
  /// - Returns: -1 and sets `errno` if that fails.
  func sync(_ durability: FileDurability) -> Int32 {
    guard durability != .none else { return 0 }
    #if canImport(Darwin)
      // Not every file system supports these commands.
      let command = durability == .full ? F_FULLFSYNC : F_BARRIERFSYNC
      if fcntl(number, command) == 0 { return 0 }
    #endif
    return retryingOnInterrupt { fsync(number) }
  }
}

extension stat {
  var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
}

/// Repeats a system call as long as a signal interrupts it.
func retryingOnInterrupt<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
