/// Looks at whether the task was cancelled, every so often.
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
