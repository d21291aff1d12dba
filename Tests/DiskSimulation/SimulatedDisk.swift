package import Foundation
package import MagicFiles
package import MagicRuntime
package import MagicTestSupport

/// A folder on a simulated disk, which can fail any call and lose its power at any step.
///
/// The disk records the changes of SQLite's files and of asset files below the folder, and which of
/// them are durable. Everything else, for example locking, is done by the real file system.
///
///     let disk = try SimulatedDisk(at: folder)
///     disk.calls.fail(.sync, at: 3, with: EIO)
///     disk.onStep = { disk.cutPower(into: other, seed: 7) }
///
/// Keep the disk as long as any file below the folder is open.
package final class SimulatedDisk: Locked, @unchecked Sendable {
  package let folder: URL
  /// The faults of SQLite's calls.
  package let calls = Faults<DiskCall>()
  /// The faults of operations on asset files.
  package let files = Faults<FileError.Operation>()
  private var storedOnStep: (@Sendable () -> Void)?
  /// Whether a failed sync discards the unsynced changes of the file permanently.
  package var discardsAfterFailedSync = false
  /// Whether syncs do nothing and report success.
  package var ignoresSyncs = false
  private let recordsChanges: Bool
  private var state = DiskState()

  /// - Parameter recordsChanges: Whether to record changes, as `cutPower` requires.
  package init(at folder: URL, recordsChanges: Bool = false) throws {
    self.folder = folder.resolvingSymlinksInPath()
    self.recordsChanges = recordsChanges
    super.init()
    if recordsChanges { try state.begin(at: self.folder.path) }
    try DiskVFS.shared.watch(self)
  }

  /// A closure that is called before each call of SQLite, and after each operation on an asset
  /// file.
  package var onStep: (@Sendable () -> Void)? {
    get { withLock { storedOnStep } }
    set { withLock { storedOnStep = newValue } }
  }

  /// Removes all faults.
  package func heal() {
    calls.heal()
    files.heal()
  }

  /// Ends the simulation for the folder.
  package func end() { DiskVFS.shared.unwatch(self) }

  /// The file system for assets, for `MagicOptions.fileSystem`.
  package func fileSystem(_ path: String, _ durability: FileDurability) -> any FileSystem {
    FaultyFileSystem(
      RecordingFileSystem(
        DiskFileSystem(root: path, durability: .none), path, self, isSynced: durability != .none),
      faults: files
    ) { [self] _, _ in onStep?() }
  }

  /// Writes one of the possible contents of the folder, after a power failure now, to a new folder.
  package func cutPower(into other: URL, seed: UInt64) throws {
    try cutPower(into: other, PowerLoss(seed: seed))
  }

  package func cutPower(into other: URL, _ loss: PowerLoss) throws {
    var loss = loss
    try withLock { try state.write(folder.path, to: other.path, &loss) }
  }

  /// Makes all changes durable without a sync, as a system does after some seconds.
  package func makeDurable() { record { $0.makeDurable(at: folder.path) } }

  // MARK: Changes

  /// The error number with which a call fails, or nil if the call is to be performed.
  func fault(at call: DiskCall) -> Int32? {
    onStep?()
    return calls.next(call)
  }

  /// Returns the error of a write up to an offset, if the write enlarges the file and must fail.
  func faultToGrow(to end: Int64, size: () -> Int64) -> Int32? {
    guard calls.expects(.grow), end > size() else { return nil }
    return calls.next(.grow)
  }

  func noteNewFile(at path: String) { record { $0.makeFile(at: path) } }
  func noteOpening(of path: String) {
    if !discardsAfterFailedSync { record { $0.openFile(at: path) } }
  }

  func noteNewDirectory(at path: String) { record { $0.makeDirectory(at: path) } }

  func note(_ change: @autoclosure () -> DiskImage.Change, to path: String) {
    guard recordsChanges else { return }
    let change = change()
    withLock { state.note(change, to: path) }
  }

  func noteSync(of path: String) {
    guard !ignoresSyncs else { return }
    record { $0.makeFileDurable(at: path) }
  }

  func noteFailedSync(of path: String) {
    guard discardsAfterFailedSync else { return }
    record { $0.discardChanges(at: path) }
  }

  func noteSync(ofDirectory path: String) {
    guard !ignoresSyncs else { return }
    record { $0.makeDirectoryDurable(at: path) }
  }

  private func record(_ body: (inout DiskState) -> Void) {
    guard recordsChanges else { return }
    withLock { body(&state) }
  }
}
