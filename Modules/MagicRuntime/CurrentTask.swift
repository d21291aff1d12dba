/// The calling task.
package enum CurrentTask {
  /// A value that is unique among the existing tasks; nil outside of a task.
  package static var identifier: UInt? {
    withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } }
  }
}
