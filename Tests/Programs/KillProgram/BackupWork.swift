import Foundation
import MagicAssets
import MagicFiles
import MagicRuntime
import MagicStore
import SQLiteStore

/// Copies a database while a thread saves and removes objects.
///
/// Only what is done for the copy counts as a step: the rest ends wherever it is.
package final class BackupWork {
  private let mode: Mode
  private let store: MagicObjectStore
  private let work: Work
  private let killSwitch: KillSwitch
  private let copyPath: String

  /// Where the copy of a database is to be.
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
      return mode == .markless ? MarklessFileSystem(base: files) : files
    }
    // The first that opens it says how the files are reached.
    store = try MagicObjectStore.open(.file(arguments.path), options: options)
    work = try Work(arguments, KillSwitch(at: nil, 0))
  }

  func run() throws {
    for _ in 0..<work.random(0...6) { try work.stepAlone() }
    let others = OtherThread(work)
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
    try store.backup(to: path) { [killSwitch] _ in killSwitch.pass(.progress) }
  }

  /// Breaks the order in which a copy gets its names.
  private func copyNameFirst() throws {
    let other = copyPath + ".other"
    try store.backup(to: other)
    try FileManager.default.moveItem(atPath: other, toPath: copyPath)
    killSwitch.pass(.progress)
    guard FileManager.default.fileExists(atPath: other + "-assets") else { return }
    try FileManager.default.moveItem(atPath: other + "-assets", toPath: copyPath + "-assets")
  }
}

/// Makes one call after the other until it is told to end.
private final class OtherThread: Locked, @unchecked Sendable {
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
        while !withLock({ isOver }) { try work.stepAlone() }
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
