import Foundation
import MagicRuntime

/// A file that is complete and that no committed row refers to yet.
///
/// The caller retains it until the rows that refer to it are committed; until then the batch keeps
/// its mark. A file that was not published is removed on deinitialisation.
package final class StagedFile: Sendable {
  /// The final name, which the file has after it was published.
  package let name: AssetName

  let batch: Batch
  let temporary: String
  private let names: StagedNames
  private let state = Mutex(State.staged)
  private let origin = ProcessOrigin()

  private enum State: Sendable {
    case staged, renaming, renamed, published, discarded
    /// A sync has failed. It is unknown which part of the file is on disk, and the system reports
    /// the failure only once.
    case failed
  }

  init(_ name: AssetName, temporary: String, in batch: Batch, _ names: StagedNames) {
    self.names = names
    self.name = name
    self.temporary = temporary
    self.batch = batch
    names.insert(self)
  }

  deinit {
    guard !origin.isForked else { return }
    names.remove(name)
    if !isPublished { discard() }
  }

  var isPublished: Bool { state.withLock { $0 == .published } }
  var isRenamed: Bool { state.withLock { $0 == .renamed } }

  /// Opens the file for reading, under its temporary or its final name.
  package func open() throws -> any ReadableFile {
    let isUnderName = state.withLock { $0 == .renamed || $0 == .published }
    return try batch.open(isUnderName ? name.text : temporary)
  }

  /// Keeps the file and the mark of its batch, because it is unknown whether rows refer to the
  /// file.
  package func keep() {
    batch.keepMark()
    markPublished()
  }

  func fail() { state.withLock { $0 = .failed } }

  /// Makes a published file a staged one again, because the rows that refer to it were rolled back.
  /// Other rows may refer to it later; without them it is removed on deinitialisation.
  package func unpublish() {
    state.withLock { if $0 == .published { $0 = .renamed } }
  }

  /// Renames the file to its final name.
  ///
  /// - Throws: `.notFound` for a file that was discarded.
  func rename(_ files: any FileSystem) throws(FileError) {
    let result = state.withLock { state -> Result<Void, FileError> in
      switch state {
      case .renamed, .published: return .success(())
      case .discarded: return .failure(FileError(.rename, temporary, code: .notFound))
      case .failed: return .failure(FileError(.sync, temporary, number: EIO))
      case .staged, .renaming: break
      }
      // If renaming fails, it is unknown whether the file has the old or the new name.
      state = .renaming
      return Result { () throws(FileError) in
        try files.rename(temporary, to: name.text)
        state = .renamed
      }
    }
    try result.get()
  }

  func markPublished() { state.withLock { if $0 == .renamed { $0 = .published } } }

  func discard() {
    let previous = state.withLock { state in
      defer { state = .discarded }
      return state
    }
    if [.staged, .renaming, .failed].contains(previous) { batch.discard(temporary) }
    if [.renaming, .renamed, .published, .failed].contains(previous) {
      batch.discard(name.text)
    }
  }
}
