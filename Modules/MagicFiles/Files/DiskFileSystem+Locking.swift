import Foundation
import MagicRuntime

extension DiskFileSystem {
  package func lock(_ path: String, isShared: Bool) throws(FileError) -> (any FileLock)? {
    let place = try ResolvedPath(path, .lock, self)
    while true {
      let (file, isNew) = try lockFile(path, place)
      guard let kind = file.status else { throw FileError(.lock, path, number: errno) }
      guard kind.isRegularFile else { throw FileError(.lock, path, code: .notAFile) }
      let operation = (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB
      guard retryingOnInterrupt({ flock(file.number, operation) }) == 0 else {
        if errno == EWOULDBLOCK { return nil }
        throw FileError(.lock, path, number: errno)
      }
      // The previous owner of the lock may have removed the file after this function opened it. A
      // lock on a removed file does not exclude a lock on a new file with the same name.
      guard let status = file.status, status.st_nlink == 0 else {
        return DiskLock(file, isNew: isNew)
      }
    }
  }

  // An existing file is opened for reading, which is also possible in a folder that is not
  // writable.
  private func lockFile(
    _ path: String, _ place: ResolvedPath
  ) throws(FileError) -> (Descriptor, isNew: Bool) {
    while true {
      let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
      if let file = Descriptor.opened(place.name, in: place.directory, flags) {
        return (file, false)
      }
      guard errno == ENOENT else { throw FileError(.lock, path, number: errno) }
      let making = O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW
      if let file = Descriptor.opened(place.name, in: place.directory, making, mode: 0o600) {
        return (file, true)
      }
      // Another process has created the file meanwhile.
      guard errno == EEXIST else { throw FileError(.lock, path, number: errno) }
    }
  }
}

/// A lock on an open file. The child process of a fork has the same open file description.
/// Therefore closing the file in the parent does not release the lock, and the child must not
/// release it.
private final class DiskLock: FileLock, Sendable {
  let isNew: Bool
  private let origin = ProcessOrigin()
  private let file: Mutex<Descriptor?>

  init(_ file: Descriptor, isNew: Bool) {
    self.file = Mutex(file)
    self.isNew = isNew
  }

  deinit { release() }

  func release() {
    file.withLock { file in
      if let file, !origin.isForked { _ = flock(file.number, LOCK_UN) }
      file = nil
    }
  }
}
