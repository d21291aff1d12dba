import MagicRuntime

/// The last detached changes of one property, where copies of its value take long.
///
/// In a loop of an asynchronous function that suspends, a change that ends at once is detached too, for
/// example `object.list.append(x)`. A copy of the list for each would make the loop take quadratic time.
/// So after some changes that ended at once, a copy is made only as often as copies take a small part of
/// the time. Between, a change takes the value out of the property, and the last copy is put there. Others
/// wait a moment for the end of such a change before they use that copy, which may lack changes that had
/// ended before it was made. A verb does not save that copy; see ``EarlierValues``.
///
/// Used inside the lock of the property's box.
final class ChangeHistory {
  /// The changes with a copy that ended at once, one after the other.
  private var count = 0
  /// How long the last of them took, in nanoseconds, and when it ended.
  private var cost: UInt64 = 0
  private var lastCopy: UInt64 = 0
  /// The value from before it.
  private var snapshot: AnyObject?

  private final class Snapshot<Value> {
    let value: Value?

    init(_ value: Value?) { self.value = value }
  }

  /// So many changes are copied before one is not.
  private static let fewest = 8
  /// The share of the time that copies take.
  private static let share: UInt64 = 16
  /// Shorter ones are not worth to be saved.
  private static let shortest: UInt64 = 5_000
  /// Longer ones may have been suspended.
  private static let longest: UInt64 = 1_000_000

  /// A history that begins with a change; nil where its copy did not take long.
  init?(after change: AnyDetachedChange) {
    guard CurrentThread.time &- change.start >= Self.shortest else { return nil }
  }

  /// The last copy, where the value may be taken without another; else nil.
  func takeSnapshot<Value>(_ type: Value.Type) -> Value?? {
    guard count >= Self.fewest, CurrentThread.time &- lastCopy < cost &* Self.share,
      let known = snapshot as? Snapshot<Value>
    else { return nil }
    snapshot = nil
    return .some(known.value)
  }

  /// Remembers a change that has ended.
  ///
  /// - Parameter old: what the property had meanwhile.
  /// - Returns: what is to end outside the lock.
  func note<Value>(_ change: AnyDetachedChange, before old: Value?) -> AnyObject? {
    defer { snapshot = count >= Self.fewest ? Snapshot(old) : nil }
    let former = snapshot
    let now = CurrentThread.time
    let duration = now &- change.start
    guard duration < Self.longest, change.thread == CurrentThread.identifier, !change.isPassedOver
    else {
      count = 0
      return former
    }
    guard !change.hasTaken else { return former }
    (count, cost, lastCopy) = (count + 1, duration, now)
    return former
  }

  /// Frees the last copy where it is too old to be used.
  ///
  /// - Returns: what is to end outside the lock.
  func dropSnapshot() -> AnyObject? {
    guard CurrentThread.time &- lastCopy >= cost &* Self.share else { return nil }
    defer { snapshot = nil }
    return snapshot
  }
}
