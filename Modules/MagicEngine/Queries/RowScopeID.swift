import MagicRuntime

/// Names the row that a column belongs to: the query's own, or a member in a closure.
package struct RowScopeID: Hashable, Sendable {
  package let rawValue: Int

  /// The innermost row around the column.
  package static let innermost = RowScopeID(rawValue: -1)
  /// The row of the query itself.
  package static let root = RowScopeID(rawValue: 0)

  /// The member in a closure. Its ID is unique in the process, so that a row which is used outside
  /// its closure is detected.
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
