import MagicFiles
import MagicStore
import SQLiteStore

extension KillSwitch {
  /// How a store is opened whose statements and file operations are to be seen.
  ///
  /// - Parameter isSynced: whether files are brought to the disk.
  func options(_ mode: Mode, isSynced: Bool) -> MagicOptions {
    let late = Slot<LateFileSystem>()
    var options = MagicOptions(durability: isSynced ? .full : .normal, trace: { self.trace($0) })
    options.fileSystem = { path, durability in
      let disk = SteppedFileSystem(
        base: DiskFileSystem(root: path, durability: isSynced ? durability : .none),
        killSwitch: self)
      switch mode {
      case .assetlast:
        let files = LateFileSystem(disk)
        late.value = files
        return files
      case .markless: return MarklessFileSystem(base: disk)
      default: return disk
      }
    }
    didCommit = { late.value?.flush() }
    return options
  }
}
