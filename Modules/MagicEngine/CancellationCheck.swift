/// Checks for cancellation of the task in every 512th call.
package struct CancellationCheck {
  private var remaining = 512

  package init() {}

  @inline(__always)
  package mutating func count() throws {
    remaining -= 1
    guard remaining == 0 else { return }
    remaining = 512
    try Task.checkCancellation()
  }
}
