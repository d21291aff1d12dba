import CMagicRuntime
import Foundation

/// What the system answered when a file operation failed.
package struct FileError: Error, Sendable, Equatable {
  package let operation: Operation

  /// The path inside the folder; "" is the folder itself.
  package let path: String

  /// The system's number, `errno`; 0 where the system had no objection.
  package let number: Int32

  package let code: Code

  /// What was tried.
  package enum Operation: Sendable, CaseIterable {
    case makeDirectory, create, open, read, write, close, sync, rename, syncDirectory
    case remove, removeDirectory, list, lock
  }

  /// The causes that a caller tells apart.
  package enum Code: Sendable {
    case notFound, diskFull, denied, readOnly, exists, tooManyOpen
    /// Something that is not a regular file, or not a directory, lies there.
    case notAFile
    /// The file has not the size that its name tells.
    case wrongSize
    /// The file system grants no locks.
    case noLocks
    /// The folder belongs to the process that this one was forked from.
    case forked
    /// The folder takes no files for a while.
    case suspended
    case other
  }

  package init(_ operation: Operation, _ path: String, number: Int32) {
    let isWithoutLocks = operation == .lock && magic_grants_no_locks(number)
    self.init(
      operation, path, number: number, code: isWithoutLocks ? .noLocks : Code(number: number))
  }

  package init(_ operation: Operation, _ path: String, code: Code) {
    self.init(operation, path, number: 0, code: code)
  }

  private init(_ operation: Operation, _ path: String, number: Int32, code: Code) {
    self.operation = operation
    self.path = path
    self.number = number
    self.code = code
  }
}

extension FileError.Code {
  init(number: Int32) {
    self =
      switch number {
      case ENOENT: .notFound
      case ENOSPC, EDQUOT: .diskFull
      case EACCES, EPERM: .denied
      case EROFS: .readOnly
      case EEXIST: .exists
      case ELOOP, EISDIR, ENOTDIR: .notAFile
      case EMFILE, ENFILE: .tooManyOpen
      default: .other
      }
  }
}

extension FileError: CustomStringConvertible {
  package var description: String { "\(subject) cannot be \(operation.participle): \(reason)." }

  private var subject: String {
    switch (path.isEmpty, operation) {
    case (true, _): "The folder"
    case (false, .makeDirectory), (false, .syncDirectory), (false, .removeDirectory),
      (false, .list):
      "The directory \(path)"
    case (false, _): "The file \(pathWithoutExtension)"
    }
  }

  /// The extension of an asset is the user's; what is before it names the file.
  private var pathWithoutExtension: String {
    let names = path.split(separator: "/").suffix(2).joined(separator: "/")
    guard let text = AssetName(names)?.pathExtension else { return path }
    return String(path.dropLast(text.count + 1))
  }

  private var reason: String {
    switch code {
    case .wrongSize: "it has not the size that its name tells"
    case .forked: "it belongs to the process that this one was forked from"
    case .suspended: "the database is suspended"
    case .notAFile where number == 0: "it is not a regular file"
    default: String(cString: strerror(number))
    }
  }
}

extension FileError.Operation {
  fileprivate var participle: String {
    switch self {
    case .makeDirectory, .create: "made"
    case .open: "opened"
    case .read: "read"
    case .write: "written"
    case .close: "closed"
    case .sync, .syncDirectory: "brought to the disk"
    case .rename: "renamed"
    case .remove, .removeDirectory: "removed"
    case .list: "listed"
    case .lock: "locked"
    }
  }
}
