import CMagicRuntime
import MagicRuntime

/// The detached changes of this process that have not ended, by the cells of their properties, and what
/// is remembered of those that have.
///
/// A cell says itself whether there is anything here: others are not looked for.
final class DetachedChanges: @unchecked Sendable {
  static let shared = DetachedChanges()

  private let lock = Lock.heldAcrossForks()
  private var open: [ObjectIdentifier: [AnyDetachedChange]] = [:] {
    didSet { magic_flag_store(areOpen, !open.isEmpty) }
  }
  /// How many of them each task has.
  private var openByTask: [UInt: Int] = [:]
  private var histories: [ObjectIdentifier: ChangeHistory] = [:]
  /// Whether there are open ones, to be read without the lock.
  private let areOpen: UnsafeMutablePointer<UInt32>

  /// How long other tasks wait for the end of a change that does not seem to be suspended, in
  /// nanoseconds. A thread that the system does not schedule may need that long.
  private static let timeout: UInt64 = 250_000_000

  private init() {
    areOpen = .allocate(capacity: 1)
    areOpen.initialize(to: 0)
  }

  func enter(_ change: AnyDetachedChange, of cell: PropertyStorage) {
    lock.withLock {
      open[ObjectIdentifier(cell), default: []].append(change)
      if let task = change.task { openByTask[task, default: 0] += 1 }
    }
  }

  /// - Returns: whether the cell has others.
  func leave(_ change: AnyDetachedChange, of cell: PropertyStorage) -> Bool {
    lock.withLock {
      let others = open[ObjectIdentifier(cell)]?.filter { $0 !== change } ?? []
      open[ObjectIdentifier(cell)] = others.isEmpty ? nil : others
      if let task = change.task, let count = openByTask[task] {
        openByTask[task] = count == 1 ? nil : count - 1
      }
      return !others.isEmpty
    }
  }

  func history(of cell: PropertyStorage) -> ChangeHistory? {
    lock.withLock { histories[ObjectIdentifier(cell)] }
  }

  func keep(_ history: ChangeHistory, of cell: PropertyStorage) {
    lock.withLock { histories[ObjectIdentifier(cell)] = history }
  }

  /// The cell ends.
  func forget(_ cell: PropertyStorage) {
    let history = lock.withLock { histories.removeValue(forKey: ObjectIdentifier(cell)) }
    withExtendedLifetime(history) {}
  }

  /// Whether a change of the calling task has not ended, of one property or of any.
  func includeOwn(of cell: PropertyStorage? = nil) -> Bool {
    guard magic_flag_load(areOpen), let task = CurrentTask.identifier else { return false }
    return lock.withLock {
      guard let cell else { return openByTask[task] != nil }
      return open[ObjectIdentifier(cell)]?.contains { $0.task == task } ?? false
    }
  }

  /// Whether a property has changes that have taken the value and not ended.
  func includeTaken(of cell: PropertyStorage) -> Bool {
    lock.withLock { !awaited(cell, true).isEmpty }
  }

  private func awaited(_ cell: PropertyStorage, _ taken: Bool) -> [AnyDetachedChange] {
    open[ObjectIdentifier(cell)]?.filter { !taken || $0.hasTaken } ?? []
  }

  /// Waits until the changes of a property have ended, or are seen to be suspended. Called without the
  /// cell's lock.
  ///
  /// - Parameter taken: whether to wait only for those that have taken the value.
  /// - Returns: whether they have ended.
  func waitForEnd(of cell: PropertyStorage, taken: Bool) -> Bool {
    let start = CurrentThread.time
    var pauses: UInt32 = 0
    while true {
      let waited = CurrentThread.time &- start
      switch look(at: cell, taken: taken, waited: waited) {
      case .ended: return true
      case .passedOver: return false
      case .awaited: break
      }
      CurrentThread.pause(after: pauses)
      pauses += 1
    }
  }

  private enum State {
    case ended
    case awaited
    case passedOver
  }

  private func look(at cell: PropertyStorage, taken: Bool, waited: UInt64) -> State {
    let thread = CurrentThread.identifier
    return lock.withLock {
      let awaited = awaited(cell, taken)
      if awaited.isEmpty { return .ended }
      for change in awaited where !change.isPassedOver {
        // This thread is at work here, so it is not there.
        guard change.thread == thread || waited > Self.timeout else { return .awaited }
        change.isPassedOver = true
      }
      return .passedOver
    }
  }
}
