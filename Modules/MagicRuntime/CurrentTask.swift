/// The task that calls.
package enum CurrentTask {
  /// Tells it from every other task that lives; nil outside of tasks.
  package static var identifier: UInt? {
    withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } }
  }
}
