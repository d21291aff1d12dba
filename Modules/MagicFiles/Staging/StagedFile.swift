import Foundation
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
  private let names: StagedNames
  private var state = State.staged
  private let origin = ProcessOrigin()

  private enum State {
    case staged, renaming, renamed, settled, discarded
    /// A sync has failed: what of it is on the disk, nobody knows, and the system says it once.
    case failed
  }

  init(_ name: AssetName, temporary: String, in batch: Batch, _ names: StagedNames) {
    self.names = names
    self.name = name
    self.temporary = temporary
    self.batch = batch
    super.init()
    names.enter(self)
  }

  deinit {
    guard !origin.isForked else { return }
    names.remove(name)
    if state != .settled { discard() }
  }

  var isSettled: Bool { withLock { state == .settled } }
  var isRenamed: Bool { withLock { state == .renamed } }

  /// Opens the file for reading, wherever it lies by now.
  package func open() throws -> any ReadableFile {
    let isUnderName = withLock { state == .renamed || state == .settled }
    return try batch.open(isUnderName ? name.text : temporary)
  }

  /// Nobody knows whether rows name it: it stays, and the batch stays marked.
  package func leave() {
    batch.leaveMarked()
    withLock {
      if state == .renamed { state = .settled }
    }
  }

  func fail() { withLock { state = .failed } }

  /// The rows that were to name it did not come to be; others may. It is kept as long as this is.
  package func giveBack() {
    withLock {
      if state == .settled { state = .renamed }
    }
  }

  /// - Throws: `.notFound` for a file that was discarded.
  func rename(_ files: any FileSystem) throws(FileError) {
    lock()
    defer { unlock() }
    switch state {
    case .renamed, .settled: return
    case .discarded: throw FileError(.rename, temporary, code: .notFound)
    case .failed: throw FileError(.sync, temporary, number: EIO)
    case .staged, .renaming: break
    }
    // Whether a renaming that fails has happened, nobody knows.
    state = .renaming
    try files.rename(temporary, to: name.text)
    state = .renamed
  }

  func settle() {
    withLock {
      if state == .renamed { state = .settled }
    }
  }

  func discard() {
    let previous = withLock {
      defer { state = .discarded }
      return state
    }
    if [.staged, .renaming, .failed].contains(previous) { batch.discard(temporary) }
    if [.renaming, .renamed, .settled, .failed].contains(previous) {
      batch.discard(name.text)
    }
  }
}
