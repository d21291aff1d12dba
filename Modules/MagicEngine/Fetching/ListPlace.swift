/// A member of a list, and where it is.
package struct ListPlace: Equatable, Sendable {
  package let position: Int64
  package let target: Int64

  package init(position: Int64, target: Int64) {
    self.position = position
    self.target = target
  }
}
