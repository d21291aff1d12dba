/// A member of a list, and where it is.
package struct ListPlace: Equatable, Sendable {
  package let position: Int64
  package let target: Int64

  package init(position: Int64, target: Int64) {
    self.position = position
    self.target = target
  }
}

/// What a read does with a member of a list.
package enum ListPlaceUse: Sendable {
  case take, pass
  /// Neither this member nor those behind it are wanted.
  case stop
}
