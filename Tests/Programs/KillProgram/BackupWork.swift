import Foundation
import MagicAssets
import MagicFiles
import MagicRuntime
import MagicStore
import SQLiteStore

/// Copies a database while another thread saves and removes objects.
///
/// Only operations of the copy are steps at which the program can kill itself.
package final class BackupWork {
  private let mode: Mode
  private let store: MagicObjectStore
  private let work: Work
  private let killSwitch: KillSwitch
  private let copyPath: String
  private var isCompacting = false

  /// The path of the copy of a database.
  package static func copyPath(of path: String) -> String { path + ".copy" }

  init(_ arguments: Arguments, _ killSwitch: KillSwitch) throws {
    mode = arguments.mode
    copyPath = Self.copyPath(of: arguments.path)
    self.killSwitch = killSwitch
    var options = MagicOptions(durability: .normal)
    options.fileSystem = { [mode] path, durability in
      let disk = DiskFileSystem(root: path, durability: .none)
      guard !path.hasSuffix("-assets") else { return disk }
      let files = SteppedFileSystem(base: disk, killSwitch: killSwitch)
      return mode == .unmarked ? UnmarkedFileSystem(base: files) : files
    }
    // The first open of a database in a process sets its file system.
    store = try MagicObjectStore.open(.file(arguments.path), options: options)
    work = try Work(arguments, KillSwitch(at: nil, 0))
  }

  func run() throws {
    for _ in 0..<work.random(0...6) { try work.stepSequentially() }
    isCompacting = work.random(0...1) == 0
    let others = BackgroundThread(work)
    others.start()
    Message.copying.send()
    switch mode {
    case .namefirst: try copyNameFirst()
    default: try copy(to: copyPath)
    }
    Message.copied.send()
    try others.end()
    try work.close()
    store.close()
  }

  private func copy(to path: String) throws {
    try store.backup(to: path, compacting: isCompacting) { [killSwitch] _ in
      killSwitch.pass(.progress)
    }
  }

  /// A flaw: gives the copy its final name before its asset folder has its own.
  private func copyNameFirst() throws {
    let other = copyPath + ".other"
    try store.backup(to: other)
    try FileManager.default.moveItem(atPath: other, toPath: copyPath)
    killSwitch.pass(.progress)
    guard FileManager.default.fileExists(atPath: other + "-assets") else { return }
    try FileManager.default.moveItem(atPath: other + "-assets", toPath: copyPath + "-assets")
  }
}

/// Makes one call after the other on another thread until `end()`.
private final class BackgroundThread: Locked, @unchecked Sendable {
  private let work: Work
  private let isDone = DispatchSemaphore(value: 0)
  private var isOver = false
  private var failure: (any Error)?

  init(_ work: Work) {
    self.work = work
    super.init()
  }

  func start() {
    Thread { [self] in
      do {
        while !withLock({ isOver }) { try work.stepSequentially() }
      } catch {
        withLock { failure = error }
      }
      isDone.signal()
    }.start()
  }

  func end() throws {
    withLock { isOver = true }
    isDone.wait()
    if let failure = withLock({ failure }) { throw failure }
  }
}
