import MagicRuntime

/// The staged files of a folder by the names that they will have, for who has got a name from the
/// transaction that is under way.
final class StagedNames: Locked, @unchecked Sendable {
  private var files: [AssetName: Weak] = [:]

  /// A class: a weak reference in a structure would be copied with it, also while the file ends.
  private final class Weak {
    weak var file: StagedFile?

    init(_ file: StagedFile) { self.file = file }
  }

  override init() { super.init() }

  func enter(_ file: StagedFile) { withLock { files[file.name] = Weak(file) } }

  func remove(_ name: AssetName) { withLock { files[name] = nil } }

  func file(named name: AssetName) -> StagedFile? { withLock { files[name]?.file } }
}
