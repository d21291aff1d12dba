import MagicRuntime

/// The staged files of a folder by their final names, so that reads can find a file that the open
/// transaction refers to.
final class StagedNames: Sendable {
  private let files = Mutex<[AssetName: Weak]>([:])

  /// A weak reference to a file. It is a class because a weak reference in a structure would be
  /// copied together with the structure, even while the file is deinitialised.
  private final class Weak: Sendable {
    weak let file: StagedFile?

    init(_ file: StagedFile) { self.file = file }
  }

  func insert(_ file: StagedFile) { files.withLock { $0[file.name] = Weak(file) } }

  func remove(_ name: AssetName) { files.withLock { $0[name] = nil } }

  func file(named name: AssetName) -> StagedFile? { files.withLock { $0[name]?.file } }
}
