import CMagicRuntime
import MagicRuntime

/// The detached changes of this process that have not ended, by the cells of their properties.
///
/// A cell is entered while it has any, and says so itself: others are not looked for here.
final class DetachedChanges: @unchecked Sendable {
  static let shared = DetachedChanges()

  private let lock = Lock.heldAcrossForks()
  private var changes: [ObjectIdentifier: [AnyDetachedChange]] = [:] {
    didSet { magic_flag_store(areSome, !changes.isEmpty) }
  }
  /// Whether there are any, for those who look without the lock.
  private let areSome: UnsafeMutablePointer<UInt32>

  /// How long others wait for the end of a change that does not seem to be suspended, in nanoseconds. A
  /// thread that the system has put aside needs that long.
  private static let patience: UInt64 = 250_000_000

  private init() {
    areSome = .allocate(capacity: 1)
    areSome.initialize(to: 0)
  }

  func enter(_ change: AnyDetachedChange, of cell: AnyCell) {
    lock.withLock { changes[ObjectIdentifier(cell), default: []].append(change) }
  }

  /// - Returns: whether the cell has others.
  func leave(_ change: AnyDetachedChange, of cell: AnyCell) -> Bool {
    lock.withLock {
      let others = changes[ObjectIdentifier(cell)]?.filter { $0 !== change } ?? []
      changes[ObjectIdentifier(cell)] = others.isEmpty ? nil : others
      return !others.isEmpty
    }
  }

  /// Whether a change of the calling task has not ended, of one property or of any.
  func includeOwn(of cell: AnyCell? = nil) -> Bool {
    guard magic_flag_load(areSome), let task = CurrentTask.identifier else { return false }
    return lock.withLock {
      guard let cell else {
        return changes.values.contains { $0.contains { $0.task == task } }
      }
      return changes[ObjectIdentifier(cell)]?.contains { $0.task == task } ?? false
    }
  }

  /// Waits until the changes of a property have ended, or are seen to be suspended. Called without the
  /// cell's lock.
  ///
  /// - Returns: whether they have ended.
  func waitForEnd(of cell: AnyCell) -> Bool {
    let start = CurrentThread.time
    var pauses: UInt32 = 0
    while true {
      let waited = CurrentThread.time &- start
      switch look(at: cell, waited: waited) {
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

  private func look(at cell: AnyCell, waited: UInt64) -> State {
    let thread = CurrentThread.identifier
    return lock.withLock {
      guard let open = changes[ObjectIdentifier(cell)] else { return .ended }
      for change in open where !change.isPassedOver {
        // This thread is at work here, so it is not there.
        guard change.thread == thread || waited > Self.patience else { return .awaited }
        change.isPassedOver = true
      }
      return .passedOver
    }
  }
}
