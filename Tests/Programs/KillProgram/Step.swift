package import MagicFiles

/// A point at which the program can kill itself: just before or after an operation.
package struct Step: Hashable, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  package static func before(_ operation: FileError.Operation) -> Step {
    Step("before \(operation)")
  }
  package static func after(_ operation: FileError.Operation) -> Step { Step("after \(operation)") }

  /// Before an SQL statement, including statements of triggers.
  package static let statement = Step("before a statement")
  package static let beforeCommit = Step("before COMMIT")
  /// Before the first file is removed or, if none is, before the call is acknowledged.
  package static let afterCommit = Step("after COMMIT")
  /// Before some pages or a part of a file are copied.
  package static let progress = Step("progress of a copy")
  /// Represents each step but ``statement``.
  package static let any = Step("any")
}
