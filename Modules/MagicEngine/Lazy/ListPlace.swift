/// A link of a list.
package struct ListPlace: Equatable, Sendable {
  package let position: Int64
  package let target: Int64

  package init(position: Int64, target: Int64) {
    self.position = position
    self.target = target
  }
}

/// What a read does with a link of a list.
package enum ListPlaceUse: Sendable {
  case take, pass
  /// Neither this link nor those behind it are wanted.
  case stop
}
