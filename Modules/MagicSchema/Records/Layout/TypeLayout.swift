/// How the instances and the fetched rows of one type are laid out: all that the storage of objects
/// knows of their type. The type's description, `ObjectSchema`, is its only subclass.
@usableFromInline
package class TypeLayout: @unchecked Sendable {
  /// Whether an instance is a reference to where its properties lie.
  package final let isClass: Bool
  /// Whether an instance consists of its magic properties and nothing else, so that one can be
  /// made without `init()`.
  final let isDense: Bool
  /// Where the properties lie in an instance: columns, then collections, then reverse properties.
  @usableFromInline package final let offsets: [Int]
  /// How rows are packed.
  package final let layout: RowLayout

  init(isClass: Bool, isDense: Bool, offsets: [Int], layout: RowLayout) {
    self.isClass = isClass
    self.isDense = isDense
    self.offsets = offsets
    self.layout = layout
  }
}
