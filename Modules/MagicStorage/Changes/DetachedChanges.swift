import CMagicRuntime
import MagicRuntime

/// The detached changes of this process that are in progress, by property box, and the histories of
/// those that have ended.
///
/// A flag in each box shows whether there is an entry for it, so that boxes without entries need no
/// lookup.
package final class DetachedChanges: @unchecked Sendable {
  package static let shared = DetachedChanges()

  private let lock = Lock().lockedDuringForks()
  private var open: [ObjectIdentifier: [AnyDetachedChange]] = [:] {
    didSet { magic_flag_store(areOpen, !open.isEmpty) }
  }
  /// The number of open changes of each task.
  private var openByTask: [UInt: Int] = [:]
  private var histories: [ObjectIdentifier: ChangeHistory] = [:]
  /// Whether there are open changes. Readable without the lock.
  private let areOpen: UnsafeMutablePointer<UInt32>

  /// How long other tasks wait for the end of a change that does not appear to be suspended, in
  /// nanoseconds. The system may not schedule the thread of the change for that long.
  private static let timeout: UInt64 = 250_000_000

  private init() {
    areOpen = .allocate(capacity: 1)
    areOpen.initialize(to: 0)
  }

  func insert(_ change: AnyDetachedChange, of box: PropertyStorage) {
    lock.withLock {
      open[ObjectIdentifier(box), default: []].append(change)
      if let task = change.task { openByTask[task, default: 0] += 1 }
    }
  }

  /// - Returns: whether the box has other open changes.
  func remove(_ change: AnyDetachedChange, of box: PropertyStorage) -> Bool {
    lock.withLock {
      let others = open[ObjectIdentifier(box)]?.filter { $0 !== change } ?? []
      open[ObjectIdentifier(box)] = others.isEmpty ? nil : others
      if let task = change.task, let count = openByTask[task] {
        openByTask[task] = count == 1 ? nil : count - 1
      }
      return !others.isEmpty
    }
  }

  func history(of box: PropertyStorage) -> ChangeHistory? {
    lock.withLock { histories[ObjectIdentifier(box)] }
  }

  func keep(_ history: ChangeHistory, of box: PropertyStorage) {
    lock.withLock { histories[ObjectIdentifier(box)] = history }
  }

  /// Removes the history of a box that is deinitialised.
  func forget(_ box: PropertyStorage) {
    let history = lock.withLock { histories.removeValue(forKey: ObjectIdentifier(box)) }
    withExtendedLifetime(history) {}
  }

  /// Whether the calling task has an open change of the given property, or of any property.
  package func includeOwn(of box: PropertyStorage? = nil) -> Bool {
    guard magic_flag_load(areOpen), let task = CurrentTask.identifier else { return false }
    return lock.withLock {
      guard let box else { return openByTask[task] != nil }
      return open[ObjectIdentifier(box)]?.contains { $0.task == task } ?? false
    }
  }

  /// Whether a property has open changes that have moved its value out.
  func includeMoved(of box: PropertyStorage) -> Bool {
    lock.withLock { !awaited(box, true).isEmpty }
  }

  private func awaited(_ box: PropertyStorage, _ onlyMoved: Bool) -> [AnyDetachedChange] {
    open[ObjectIdentifier(box)]?.filter { !onlyMoved || $0.hasMovedValue } ?? []
  }

  /// Waits until the changes of a property have ended or are found to be suspended. Called without
  /// the lock of the box.
  ///
  /// - Parameter onlyMoved: whether to wait only for changes that have moved the value out.
  /// - Returns: whether they have ended.
  func waitForEnd(of box: PropertyStorage, onlyMoved: Bool) -> Bool {
    let start = CurrentThread.time
    var pauses: UInt32 = 0
    while true {
      let waited = CurrentThread.time &- start
      switch state(of: box, onlyMoved: onlyMoved, waited: waited) {
      case .ended: return true
      case .skipped: return false
      case .awaited: break
      }
      CurrentThread.pause(after: pauses)
      pauses += 1
    }
  }

  private enum State {
    case ended
    case awaited
    case skipped
  }

  private func state(of box: PropertyStorage, onlyMoved: Bool, waited: UInt64) -> State {
    let thread = CurrentThread.identifier
    return lock.withLock {
      let awaited = awaited(box, onlyMoved)
      if awaited.isEmpty { return .ended }
      for change in awaited where !change.isSkipped {
        // A change that began on this thread is suspended, because the thread runs this function.
        guard change.thread == thread || waited > Self.timeout else { return .awaited }
        change.isSkipped = true
      }
      return .skipped
    }
  }
}
