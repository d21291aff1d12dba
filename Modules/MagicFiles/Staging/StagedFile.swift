package import MagicRuntime

/// A file that is complete and that no row names yet.
///
/// To be kept until rows that name it are committed: as long, the batch stays marked. One that is let
/// go of unsettled is removed.
package final class StagedFile: Locked, @unchecked Sendable {
  /// The name that it has once settled.
  package let name: AssetName

  let batch: Batch
  let temporary: String
  private var state = State.staged

  private enum State {
    case staged, renaming, renamed, settled, discarded
    /// Settled, and named by no row after all.
    case returned
  }

  init(_ name: AssetName, temporary: String, in batch: Batch) {
    self.name = name
    self.temporary = temporary
    self.batch = batch
    super.init()
  }

  deinit {
    if state != .settled { discard() }
  }

  var isSettled: Bool { withLock { state == .settled || state == .returned } }

  /// Opens the file for reading, wherever it lies by now.
  package func open() throws -> any ReadableFile {
    let isUnderName = withLock { state == .renamed || state == .settled || state == .returned }
    return try batch.open(isUnderName ? name.text : temporary)
  }

  /// The transaction did not come to be, and another is to have the file: it is kept as long as this.
  package func giveBack() {
    let isHalfWay = withLock {
      if state == .settled { state = .returned }
      return state == .renaming || state == .renamed
    }
    // Where settling failed half-way, nothing is certain any more.
    if isHalfWay { discard() }
  }

  /// - Throws: `.notFound` for a file that was discarded.
  func rename(_ files: any FileSystem) throws(FileError) {
    lock()
    defer { unlock() }
    switch state {
    case .renamed, .settled, .returned: return
    case .discarded: throw FileError(.rename, temporary, code: .notFound)
    case .staged, .renaming: break
    }
    // Whether a renaming that fails has happened, nobody knows.
    state = .renaming
    try files.rename(temporary, to: name.text)
    state = .renamed
  }

  func settle() {
    withLock {
      if state == .renamed || state == .returned { state = .settled }
    }
  }

  func discard() {
    let previous = withLock {
      defer { state = .discarded }
      return state
    }
    if previous == .staged || previous == .renaming { batch.discard(temporary) }
    if [.renaming, .renamed, .settled, .returned].contains(previous) {
      batch.discard(name.text)
    }
  }
}
