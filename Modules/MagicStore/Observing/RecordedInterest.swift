/// What was taken down of a transaction, as of some change in observers.
struct RecordedInterest {
  var generation: UInt64 = 0
  /// Nil where nothing was.
  var interest: Shared?
  /// Whether rows were written at all.
  var hasWritten = true

  /// Many transactions have one.
  final class Shared: Sendable {
    let value: ChangeInterest

    init(_ value: ChangeInterest) { self.value = value }
  }

  /// Whether an observer came later, and wants what is not taken down.
  func misses(_ observer: ChangeObserver) -> Bool {
    observer.generation > generation && !(interest?.value.covers(observer.interest) ?? false)
  }
}
