/// Checks for cancellation of the task at every 512th call.
package struct CancellationCheck {
  private var left = 512

  package init() {}

  @inline(__always)
  package mutating func count() throws {
    left -= 1
    guard left == 0 else { return }
    left = 512
    try Task.checkCancellation()
  }
}
