import MagicFiles
import MagicStore
import SQLiteStore

extension KillSwitch {
  /// The options of a store whose statements and file operations are steps of this switch.
  ///
  /// - Parameter isSynced: Whether files are synced.
  func options(_ mode: Mode, isSynced: Bool) -> MagicOptions {
    let late = Slot<DelayedFileSystem>()
    var options = MagicOptions(durability: isSynced ? .full : .normal, trace: { self.trace($0) })
    // Free pages are returned after each commit.
    options.minimumFreeSpace = 0
    // Indexes of empty tables are created after the rows of each call with several objects.
    options.postponingMinimum = 2
    options.fileSystem = { path, durability in
      let disk = SteppedFileSystem(
        base: DiskFileSystem(root: path, durability: isSynced ? durability : .none),
        killSwitch: self)
      switch mode {
      case .assetlast:
        let files = DelayedFileSystem(disk)
        late.value = files
        return files
      case .unmarked: return UnmarkedFileSystem(base: disk)
      default: return disk
      }
    }
    didCommit = { late.value?.flush() }
    return options
  }
}
