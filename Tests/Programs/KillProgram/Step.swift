package import MagicFiles

/// A point in the program's work at which it can end: just before or after an operation.
package struct Step: Hashable, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  package static func before(_ operation: FileError.Operation) -> Step {
    Step("before \(operation)")
  }
  package static func after(_ operation: FileError.Operation) -> Step { Step("after \(operation)") }

  /// Before a statement of SQL, one of a trigger too.
  package static let statement = Step("before a statement")
  package static let beforeCommit = Step("before COMMIT")
  /// Before the first file is removed or, where none is, the call is acknowledged.
  package static let afterCommit = Step("after COMMIT")
  /// Before some pages or a piece of a file are copied.
  package static let progress = Step("progress of a copy")
  /// Stands for each step but ``statement``.
  package static let any = Step("any")
}
