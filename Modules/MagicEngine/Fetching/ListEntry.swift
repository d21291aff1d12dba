/// A member of a list and its position.
package struct ListEntry: Equatable, Sendable {
  package let position: Int64
  package let target: Int64

  package init(position: Int64, target: Int64) {
    self.position = position
    self.target = target
  }
}

/// The decision of a read about a member of a list.
package enum ListEntryUse: Sendable {
  case take, pass
  /// Skip this member and all members after it.
  case stop
}
