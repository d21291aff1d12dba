import CMagicRuntime
package import MagicEngine
import MagicRuntime

/// Observes the full scans of the statements that a task and its child tasks run: for tests.
package final class FullScanObserver: Sendable {
  @TaskLocal package static var current: FullScanObserver?

  private let report: @Sendable (MagicDiagnosis) -> Void
  private let examined = Mutex<Set<String>>([])

  private init(_ report: @escaping @Sendable (MagicDiagnosis) -> Void) { self.report = report }

  /// Whether the process has ever had an observer: an atomic flag, which is never deallocated.
  private nonisolated(unsafe) static let flag: UnsafeMutablePointer<UInt32> = {
    let flag = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    flag.initialize(to: 0)
    return flag
  }()

  /// Whether the process has ever had an observer. It is read for each statement, in less time than the
  /// observer of the task.
  static var isUsed: Bool { magic_flag_load(flag) }

  /// Runs a closure, and reports each statement that reads a table as a whole to find some of its rows.
  /// A statement is reported once.
  package static func observing(
    _ report: @escaping @Sendable (MagicDiagnosis) -> Void,
    _ body: @Sendable () async throws -> Void
  ) async throws {
    magic_flag_store(flag, true)
    try await $current.withValue(FullScanObserver(report)) { try await body() }
  }

  /// Returns whether a statement was not yet examined: true once for each statement.
  func isNew(_ sql: String) -> Bool { examined.withLock { $0.insert(sql).inserted } }

  func report(_ diagnosis: MagicDiagnosis) { report(diagnosis) }
}
