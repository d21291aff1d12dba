package import MagicFiles
package import MagicRuntime

/// A file system that calls another one, except for the operations that are to fail.
///
///     let files = FaultyFileSystem(DiskFileSystem(root: path, durability: .none))
///     files.fail(.rename, at: 2, with: ENOSPC)
///     // … the second rename from here on fails, all other operations succeed …
///     files.stop(after: 5)
///     // … from the sixth operation on all fail, as if the process had ended …
package final class FaultyFileSystem: Locked, FileSystem, @unchecked Sendable {
  /// A requested operation.
  package struct Step: Sendable, Equatable {
    package let operation: FileError.Operation
    package let path: String

    package init(_ operation: FileError.Operation, _ path: String) {
      self.operation = operation
      self.path = path
    }
  }

  private let base: any FileSystem
  private let faults: Faults<FileError.Operation>
  private let after: (@Sendable (FileError.Operation, String) -> Void)?
  private var log: [Step] = []

  /// - Parameters:
  ///   - faults: the faults, if several file systems share them.
  ///   - after: called after each performed operation, with its kind and path. It must not use the
  ///     `AssetFolder` that requested the operation.
  package init(
    _ base: any FileSystem, faults: Faults<FileError.Operation> = .init(),
    after: (@Sendable (FileError.Operation, String) -> Void)? = nil
  ) {
    self.base = base
    self.faults = faults
    self.after = after
    super.init()
  }

  /// The operations so far, including failed ones.
  package var steps: [Step] { withLock { log } }

  /// The number of operations of a kind so far; of all kinds for nil.
  package func count(of operation: FileError.Operation? = nil) -> Int {
    withLock { log.count { operation == nil || $0.operation == operation } }
  }

  /// Makes an operation fail. It is not performed; a write writes its first half.
  ///
  /// - Parameters:
  ///   - operation: the kind; nil for every kind.
  ///   - position: 1 for the next operation of the kind.
  ///   - isLasting: whether later operations of the kind fail too.
  package func fail(
    _ operation: FileError.Operation? = nil, at position: Int = 1, with number: Int32,
    isLasting: Bool = false
  ) {
    faults.fail(operation, at: position, with: number, isLasting: isLasting)
  }

  /// Makes all operations after a number of operations fail, as if the process ended then.
  package func stop(after count: Int) {
    fail(at: count + 1, with: 5, isLasting: true)
  }

  /// Removes all faults.
  package func heal() { faults.heal() }

  /// Performs an operation unless it is to fail.
  func step<Result>(
    _ operation: FileError.Operation, _ path: String, instead: () -> Void = {},
    _ body: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    withLock { log.append(Step(operation, path)) }
    if let number = faults.next(operation) {
      instead()
      throw FileError(operation, path, number: number)
    }
    let result = try body()
    after?(operation, path)
    return result
  }
}

extension FaultyFileSystem {
  package func makeDirectory(_ path: String) throws(FileError) -> Bool {
    try step(.makeDirectory, path) { () throws(FileError) in try base.makeDirectory(path) }
  }

  package func create(_ path: String) throws(FileError) -> any WritableFile {
    let file = try step(.create, path) { () throws(FileError) in try base.create(path) }
    return FaultyWriting(file, path, self)
  }

  package func open(_ path: String) throws(FileError) -> any ReadableFile {
    let file = try step(.open, path) { () throws(FileError) in try base.open(path) }
    return FaultyReading(file, path, self)
  }

  package func sync(_ path: String) throws(FileError) {
    try step(.sync, path) { () throws(FileError) in try base.sync(path) }
  }

  package func rename(_ path: String, to other: String) throws(FileError) {
    try step(.rename, path) { () throws(FileError) in try base.rename(path, to: other) }
  }

  package func syncDirectory(_ path: String) throws(FileError) {
    try step(.syncDirectory, path) { () throws(FileError) in try base.syncDirectory(path) }
  }

  package func remove(_ path: String) throws(FileError) {
    try step(.remove, path) { () throws(FileError) in try base.remove(path) }
  }

  package func removeDirectory(_ path: String) throws(FileError) {
    try step(.removeDirectory, path) { () throws(FileError) in try base.removeDirectory(path) }
  }

  package func list(_ path: String) throws(FileError) -> [FileEntry] {
    try step(.list, path) { () throws(FileError) in try base.list(path) }
  }

  package func lock(_ path: String, isShared: Bool) throws(FileError) -> (any FileLock)? {
    try step(.lock, path) { () throws(FileError) in
      try base.lock(path, isShared: isShared)
    }
  }
}
