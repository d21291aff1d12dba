import CMagicRuntime
import MagicRuntime

/// The detached changes of this process that have not ended, by the boxes of their properties, and what
/// is remembered of those that have.
///
/// A box says itself whether there is anything here: others are not looked for.
final class DetachedChanges: @unchecked Sendable {
  static let shared = DetachedChanges()

  private let lock = Lock().heldAcrossForks()
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

  func enter(_ change: AnyDetachedChange, of box: PropertyStorage) {
    lock.withLock {
      open[ObjectIdentifier(box), default: []].append(change)
      if let task = change.task { openByTask[task, default: 0] += 1 }
    }
  }

  /// - Returns: whether the box has others.
  func leave(_ change: AnyDetachedChange, of box: PropertyStorage) -> Bool {
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

  /// The box ends.
  func forget(_ box: PropertyStorage) {
    let history = lock.withLock { histories.removeValue(forKey: ObjectIdentifier(box)) }
    withExtendedLifetime(history) {}
  }

  /// Whether a change of the calling task has not ended, of one property or of any.
  func includeOwn(of box: PropertyStorage? = nil) -> Bool {
    guard magic_flag_load(areOpen), let task = CurrentTask.identifier else { return false }
    return lock.withLock {
      guard let box else { return openByTask[task] != nil }
      return open[ObjectIdentifier(box)]?.contains { $0.task == task } ?? false
    }
  }

  /// Whether a property has changes that have taken the value and not ended.
  func includeTaken(of box: PropertyStorage) -> Bool {
    lock.withLock { !awaited(box, true).isEmpty }
  }

  private func awaited(_ box: PropertyStorage, _ taken: Bool) -> [AnyDetachedChange] {
    open[ObjectIdentifier(box)]?.filter { !taken || $0.hasTaken } ?? []
  }

  /// Waits until the changes of a property have ended, or are seen to be suspended. Called without the
  /// box's lock.
  ///
  /// - Parameter taken: whether to wait only for those that have taken the value.
  /// - Returns: whether they have ended.
  func waitForEnd(of box: PropertyStorage, taken: Bool) -> Bool {
    let start = CurrentThread.time
    var pauses: UInt32 = 0
    while true {
      let waited = CurrentThread.time &- start
      switch look(at: box, taken: taken, waited: waited) {
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

  private func look(at box: PropertyStorage, taken: Bool, waited: UInt64) -> State {
    let thread = CurrentThread.identifier
    return lock.withLock {
      let awaited = awaited(box, taken)
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
