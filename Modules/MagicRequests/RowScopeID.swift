import MagicRuntime

/// The identity of the row that a column belongs to: the row of the query, or the member that a
/// closure of the query receives.
package struct RowScopeID: Hashable, Sendable {
  package let rawValue: Int

  /// The innermost row that encloses the column.
  package static let innermost = RowScopeID(rawValue: -1)
  /// The row of the query itself.
  package static let root = RowScopeID(rawValue: 0)

  /// Returns a new ID for the member that a closure receives. The ID is unique in the process, so
  /// that the use of the member outside its closure is detected.
  package static func newMember() -> RowScopeID {
    lock.withLock {
      last += 1
      return RowScopeID(rawValue: last)
    }
  }

  package var isMember: Bool { rawValue > Self.root.rawValue }

  private static let lock = Lock().lockedDuringForks()
  private nonisolated(unsafe) static var last = root.rawValue
}
