import Foundation
import MagicRuntime

/// A file that is complete and that no row names yet.
///
/// To be kept until rows that name it are committed: as long, the batch stays marked. One that is let
/// go of unsettled is removed.
package final class StagedFile: Sendable {
  /// The name that it has once settled.
  package let name: AssetName

  let batch: Batch
  let temporary: String
  private let names: StagedNames
  private let state = Mutex(State.staged)
  private let origin = ProcessOrigin()

  private enum State: Sendable {
    case staged, renaming, renamed, settled, discarded
    /// A sync has failed: what of it is on the disk, nobody knows, and the system says it once.
    case failed
  }

  init(_ name: AssetName, temporary: String, in batch: Batch, _ names: StagedNames) {
    self.names = names
    self.name = name
    self.temporary = temporary
    self.batch = batch
    names.enter(self)
  }

  deinit {
    guard !origin.isForked else { return }
    names.remove(name)
    if !isSettled { discard() }
  }

  var isSettled: Bool { state.withLock { $0 == .settled } }
  var isRenamed: Bool { state.withLock { $0 == .renamed } }

  /// Opens the file for reading, wherever it lies by now.
  package func open() throws -> any ReadableFile {
    let isUnderName = state.withLock { $0 == .renamed || $0 == .settled }
    return try batch.open(isUnderName ? name.text : temporary)
  }

  /// Nobody knows whether rows name it: it stays, and the batch stays marked.
  package func leave() {
    batch.leaveMarked()
    settle()
  }

  func fail() { state.withLock { $0 = .failed } }

  /// The rows that were to name it did not come to be; others may. It is kept as long as this is.
  package func giveBack() {
    state.withLock { if $0 == .settled { $0 = .renamed } }
  }

  /// - Throws: `.notFound` for a file that was discarded.
  func rename(_ files: any FileSystem) throws(FileError) {
    let result = state.withLock { state -> Result<Void, FileError> in
      switch state {
      case .renamed, .settled: return .success(())
      case .discarded: return .failure(FileError(.rename, temporary, code: .notFound))
      case .failed: return .failure(FileError(.sync, temporary, number: EIO))
      case .staged, .renaming: break
      }
      // Whether a renaming that fails has happened is not known.
      state = .renaming
      return Result { () throws(FileError) in
        try files.rename(temporary, to: name.text)
        state = .renamed
      }
    }
    try result.get()
  }

  func settle() { state.withLock { if $0 == .renamed { $0 = .settled } } }

  func discard() {
    let previous = state.withLock { state in
      defer { state = .discarded }
      return state
    }
    if [.staged, .renaming, .failed].contains(previous) { batch.discard(temporary) }
    if [.renaming, .renamed, .settled, .failed].contains(previous) {
      batch.discard(name.text)
    }
  }
}
