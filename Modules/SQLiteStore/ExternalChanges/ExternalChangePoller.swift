import Foundation
import MagicEngine
import MagicRuntime
import SQLiteChanges

/// Polls for commits of other processes, for all databases that have observers. It uses one thread,
/// which wakes five times in three seconds and ends when there are no observers.
final class ExternalChangePoller: Sendable {
  /// The time between two polls, in seconds.
  static let interval = 0.6

  private struct State: Sendable {
    /// The process in which the thread runs; nil while it does not run.
    var process: ProcessOrigin?
    var wasWoken = false

    var isRunning: Bool { process?.isForked == false }
  }

  private let state = Mutex(State()).lockedDuringForks()
  private let sources: @Sendable () -> [any ExternalChangeSource]

  /// - Parameter sources: returns the existing databases.
  init(_ sources: @escaping @Sendable () -> [any ExternalChangeSource]) { self.sources = sources }

  /// Whether the thread runs.
  var isPolling: Bool { state.withLock { $0.isRunning } }

  /// Starts the thread if it does not run. Called when an observer was added.
  func wake() {
    let isNeeded = state.withLock { state in
      defer { state.wasWoken = true }
      guard !state.isRunning else { return false }
      state.process = ProcessOrigin()
      return true
    }
    guard isNeeded else { return }
    let thread = Thread { [self] in run() }
    thread.name = "MagicData.watch"
    thread.start()
  }

  private func run() {
    while true {
      Thread.sleep(forTimeInterval: Self.interval)
      state.withLock { $0.wasWoken = false }
      let observed = sources().filter { $0.feed.hasObservers }
      for source in observed { source.checkForExternalCommits() }
      if observed.isEmpty, stopIfIdle() { return }
    }
  }

  /// Ends the thread, unless an observer was added meanwhile.
  private func stopIfIdle() -> Bool {
    state.withLock { state in
      if !state.wasWoken { state.process = nil }
      return !state.wasWoken
    }
  }
}
