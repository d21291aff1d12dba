import Foundation
package import MagicFiles

/// The operation that currently fails.
package final class FaultSwitch: @unchecked Sendable {
  private let lock = NSLock()
  private var operation: FileError.Operation?

  package init() {}

  package var failing: FileError.Operation? {
    get { lock.withLock { operation } }
    set { lock.withLock { operation = newValue } }
  }

  func check(_ operation: FileError.Operation, _ path: String) throws(FileError) {
    guard failing == operation else { return }
    throw FileError(operation, path, number: operation == .open ? EMFILE : ENOSPC)
  }
}

/// Files on a disk that is full for some operations.
package final class FaultyFiles: FileSystem {
  private let files: any FileSystem
  private let faults: FaultSwitch

  package init(_ files: any FileSystem, _ faults: FaultSwitch) {
    self.files = files
    self.faults = faults
  }

  package func makeDirectory(_ path: String) throws(FileError) -> Bool {
    try faults.check(.makeDirectory, path)
    return try files.makeDirectory(path)
  }
  package func create(_ path: String) throws(FileError) -> any WritableFile {
    try faults.check(.create, path)
    return FaultyFile(try files.create(path), path, faults)
  }
  package func open(_ path: String) throws(FileError) -> any ReadableFile {
    try faults.check(.open, path)
    return try files.open(path)
  }
  package func sync(_ path: String) throws(FileError) {
    try faults.check(.sync, path)
    try files.sync(path)
  }
  package func rename(_ path: String, to other: String) throws(FileError) {
    try faults.check(.rename, path)
    try files.rename(path, to: other)
  }
  package func syncDirectory(_ path: String) throws(FileError) {
    try faults.check(.syncDirectory, path)
    try files.syncDirectory(path)
  }
  package func remove(_ path: String) throws(FileError) { try files.remove(path) }
  package func removeDirectory(_ path: String) throws(FileError) { try files.removeDirectory(path) }
  package func list(_ path: String) throws(FileError) -> [FileEntry] { try files.list(path) }
  package func lock(_ path: String, isShared: Bool) throws(FileError) -> (any FileLock)? {
    try files.lock(path, isShared: isShared)
  }
}

private final class FaultyFile: WritableFile {
  private let file: any WritableFile
  private let path: String
  private let faults: FaultSwitch

  init(_ file: any WritableFile, _ path: String, _ faults: FaultSwitch) {
    self.file = file
    self.path = path
    self.faults = faults
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try faults.check(.write, path)
    try file.write(bytes)
  }
  func close() throws(FileError) { try file.close() }
}
