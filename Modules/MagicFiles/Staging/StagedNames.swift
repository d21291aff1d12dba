import MagicRuntime

/// The staged files of a folder by the names that they will have, for reads of a name that the open
/// transaction has written.
final class StagedNames: Sendable {
  private let files = Mutex<[AssetName: Weak]>([:])

  /// A class: a weak reference in a structure would be copied with it, also while the file ends.
  private final class Weak: Sendable {
    weak let file: StagedFile?

    init(_ file: StagedFile) { self.file = file }
  }

  func enter(_ file: StagedFile) { files.withLock { $0[file.name] = Weak(file) } }

  func remove(_ name: AssetName) { files.withLock { $0[name] = nil } }

  func file(named name: AssetName) -> StagedFile? { files.withLock { $0[name]?.file } }
}
