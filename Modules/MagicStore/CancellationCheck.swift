/// Looks at whether the task was cancelled, every so often.
struct CancellationCheck {
  private var left = 512

  @inline(__always)
  mutating func count() throws {
    left -= 1
    guard left == 0 else { return }
    left = 512
    try Task.checkCancellation()
  }
}
