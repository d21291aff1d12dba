package import Foundation
package import MagicFiles
package import MagicRuntime
package import MagicTestSupport

/// A folder whose disk fails when it is told to, and whose power may be cut at any step.
///
/// SQLite's files below the folder and the files of assets are seen alike: what was done to them, and
/// how far that is on the disk for certain. What the system itself does, such as locks, stays real.
///
///     let disk = try SimulatedDisk(at: folder)
///     disk.calls.fail(.sync, at: 3, with: EIO)
///     disk.onStep = { disk.cutPower(into: other, seed: 7) }
///
/// Keep it for as long as anything below the folder is open.
package final class SimulatedDisk: Locked, @unchecked Sendable {
  package let folder: URL
  /// The faults of what SQLite does.
  package let calls = Faults<DiskCall>()
  /// The faults of what is done to the files of assets.
  package let files = Faults<FileError.Operation>()
  private var storedOnStep: (@Sendable () -> Void)?
  /// Whether what was not synced is lost for good once a syncing fails.
  package var forgetsWhatItCouldNotSync = false
  /// Whether nothing is brought to the disk, whoever asks and whatever is answered.
  package var liesAboutSyncing = false
  private let remembers: Bool
  private var state = DiskState()

  /// - Parameter remembers: whether the power is to be cut some time.
  package init(at folder: URL, remembers: Bool = false) throws {
    self.folder = folder.resolvingSymlinksInPath()
    self.remembers = remembers
    super.init()
    if remembers { try state.begin(at: self.folder.path) }
    try DiskVFS.shared.watch(self)
  }

  /// Called at each step, before SQLite's and after that of an asset's file.
  package var onStep: (@Sendable () -> Void)? {
    get { withLock { storedOnStep } }
    set { withLock { storedOnStep = newValue } }
  }

  /// Takes all faults back.
  package func heal() {
    calls.heal()
    files.heal()
  }

  /// Leaves the folder to itself.
  package func end() { DiskVFS.shared.leave(self) }

  /// The options' way to the files of assets.
  package func fileSystem(_ path: String, _ durability: FileDurability) -> any FileSystem {
    FaultyFileSystem(
      WatchedFileSystem(
        DiskFileSystem(root: path, durability: .none), path, self, isSynced: durability != .none),
      faults: files
    ) { [self] _, _ in onStep?() }
  }

  /// Writes into a new folder what of this one a loss of power at this moment may leave.
  package func cutPower(into other: URL, seed: UInt64) throws {
    try cutPower(into: other, PowerLoss(seed: seed))
  }

  package func cutPower(into other: URL, _ loss: PowerLoss) throws {
    var loss = loss
    try withLock { try state.write(folder.path, to: other.path, &loss) }
  }

  /// All that was done reaches the disk without being synced, as it does after some seconds.
  package func settle() { remember { $0.settle(at: folder.path) } }

  // MARK: What was done

  /// How a step is to fail; nil where it is to be done.
  func fault(at call: DiskCall) -> Int32? {
    onStep?()
    return calls.next(call)
  }

  /// How a write up to an offset is to fail, because it would enlarge the file.
  func faultToGrow(to end: Int64, size: () -> Int64) -> Int32? {
    guard calls.expects(.grow), end > size() else { return nil }
    return calls.next(.grow)
  }

  func noteNewFile(at path: String) { remember { $0.makeFile(at: path) } }
  func noteOpening(of path: String) {
    if !forgetsWhatItCouldNotSync { remember { $0.openFile(at: path) } }
  }

  func noteNewDirectory(at path: String) { remember { $0.makeDirectory(at: path) } }

  func note(_ change: @autoclosure () -> DiskImage.Change, to path: String) {
    guard remembers else { return }
    let change = change()
    withLock { state.note(change, to: path) }
  }

  func noteSyncing(of path: String) {
    guard !liesAboutSyncing else { return }
    remember { $0.settleFile(at: path) }
  }

  func noteFailedSyncing(of path: String) {
    guard forgetsWhatItCouldNotSync else { return }
    remember { $0.forgetFile(at: path) }
  }

  func noteSyncing(ofDirectory path: String) {
    guard !liesAboutSyncing else { return }
    remember { $0.settleDirectory(at: path) }
  }

  private func remember(_ body: (inout DiskState) -> Void) {
    guard remembers else { return }
    withLock { body(&state) }
  }
}
