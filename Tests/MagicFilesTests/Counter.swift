import MagicRuntime

/// A number that threads share.
final class Counter: Locked, @unchecked Sendable {
  private var number = 0

  override init() { super.init() }

  var value: Int { withLock { number } }

  @discardableResult func add(_ amount: Int) -> Int {
    withLock {
      number += amount
      return number
    }
  }
}
