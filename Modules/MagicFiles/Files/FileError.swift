import CMagicRuntime
import Foundation

/// The failure of a file operation.
package struct FileError: Error, Sendable, Equatable {
  package let operation: Operation

  /// The path in the folder; "" is the folder itself.
  package let path: String

  /// The value of `errno`; 0 if the error was not reported by the system.
  package let number: Int32

  package let code: Code

  /// The operation that failed.
  package enum Operation: Sendable, CaseIterable {
    case makeDirectory, create, open, read, write, close, sync, rename, syncDirectory
    case remove, removeDirectory, list, lock
  }

  /// The causes that callers distinguish.
  package enum Code: Sendable {
    case notFound, diskFull, denied, readOnly, exists, tooManyOpen
    /// Something that is not a regular file, or not a directory, exists at the path.
    case notAFile
    /// The size of the file differs from the size in its name.
    case wrongSize
    /// The file system does not support locks.
    case noLocks
    /// The folder belongs to the parent process of this one.
    case forked
    /// The folder is suspended and accepts no files.
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

  /// The path without the extension of an asset's name. The extension is data of the user, and the
  /// rest identifies the file.
  private var pathWithoutExtension: String {
    let names = path.split(separator: "/").suffix(2).joined(separator: "/")
    guard let text = AssetName(names)?.pathExtension else { return path }
    return String(path.dropLast(text.count + 1))
  }

  private var reason: String {
    switch code {
    case .wrongSize: "its size differs from the size in its name"
    case .forked: "it belongs to the parent process"
    case .suspended: "the database is suspended"
    case .notAFile where number == 0: "it is not a regular file"
    default: String(cString: strerror(number))
    }
  }
}

extension FileError.Operation {
  fileprivate var participle: String {
    switch self {
    case .makeDirectory, .create: "created"
    case .open: "opened"
    case .read: "read"
    case .write: "written"
    case .close: "closed"
    case .sync, .syncDirectory: "synced"
    case .rename: "renamed"
    case .remove, .removeDirectory: "removed"
    case .list: "listed"
    case .lock: "locked"
    }
  }
}
