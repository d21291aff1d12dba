import MagicRuntime

/// The most recent detached changes of one property whose value takes long to copy.
///
/// In an asynchronous function that suspends in a loop, every in-place change is detached, even one
/// that ends immediately, for example `object.list.append(x)`. Copying the list for each change
/// would make the loop quadratic. Therefore, after several changes that ended immediately, copies
/// are made so rarely that copying takes only a small share of the time. All other changes move the
/// value out of the property and leave the last copy in its place. Other tasks wait a moment for
/// the end of such a change before they read that copy, because the copy may lack changes that
/// ended after it was made. A save never writes that copy; see ``StaleReads``.
///
/// Used while the lock of the property's box is held.
final class ChangeHistory {
  /// The number of consecutive changes that made a copy and ended immediately.
  private var count = 0
  /// The duration of the last of these changes in nanoseconds, and the time at which it ended.
  private var cost: UInt64 = 0
  private var lastCopy: UInt64 = 0
  /// The value before that change.
  private var snapshot: AnyObject?

  private final class Snapshot<Value> {
    let value: Value?

    init(_ value: Value?) { self.value = value }
  }

  /// The number of changes that make a copy before the first one that makes none.
  private static let minimumCopies = 8
  /// Copying takes at most the inverse of this number as its share of the time.
  private static let inverseCopyShare: UInt64 = 16
  /// The minimum duration of a change with a history, in nanoseconds. Shorter changes always copy
  /// the value.
  private static let minimumDuration: UInt64 = 5_000
  /// The maximum duration, in nanoseconds, of a change that ended immediately. A longer one may
  /// have been suspended.
  private static let maximumDuration: UInt64 = 1_000_000

  /// Creates a history that begins with a change; nil if copying its value did not take long.
  init?(after change: AnyDetachedChange) {
    guard CurrentThread.time &- change.start >= Self.minimumDuration else { return nil }
  }

  /// Returns the last copy if the value may be moved out without another copy; otherwise nil.
  func takeSnapshot<Value>(_ type: Value.Type) -> Value?? {
    guard count >= Self.minimumCopies,
      CurrentThread.time &- lastCopy < cost &* Self.inverseCopyShare,
      let known = snapshot as? Snapshot<Value>
    else { return nil }
    snapshot = nil
    return .some(known.value)
  }

  /// Records a change that has ended.
  ///
  /// - Parameter old: the value that the property had during the change.
  /// - Returns: an object that the caller releases after unlocking.
  func note<Value>(_ change: AnyDetachedChange, before old: Value?) -> AnyObject? {
    defer { snapshot = count >= Self.minimumCopies ? Snapshot(old) : nil }
    let former = snapshot
    let now = CurrentThread.time
    let duration = now &- change.start
    guard duration < Self.maximumDuration, change.thread == CurrentThread.identifier,
      !change.isSkipped
    else {
      count = 0
      return former
    }
    guard !change.hasMovedValue else { return former }
    (count, cost, lastCopy) = (count + 1, duration, now)
    return former
  }

  /// Removes the last copy if it is too old to be used.
  ///
  /// - Returns: an object that the caller releases after unlocking.
  func dropSnapshot() -> AnyObject? {
    guard CurrentThread.time &- lastCopy >= cost &* Self.inverseCopyShare else { return nil }
    defer { snapshot = nil }
    return snapshot
  }
}
