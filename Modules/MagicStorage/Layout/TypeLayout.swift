/// The memory layout of the instances and the fetched rows of a type. The storage of objects uses
/// nothing else of the type. The only subclass is `ObjectSchema`, the description of the type.
///
/// The class is open because a `package` class has no subclasses in other modules. Its initializer
/// is not public, so other packages cannot use it.
open class _TypeLayout: @unchecked Sendable {
  /// Whether an instance is a reference to the memory that contains the properties.
  package final let isClass: Bool
  /// Whether an instance consists only of magic properties, so that it can be created without
  /// `init()`.
  package final let isDense: Bool
  /// The offsets of the properties in an instance: columns, then collections, then inverse
  /// relationships.
  @usableFromInline package final let offsets: [Int]
  /// The layout of the packed rows.
  package final let layout: RowLayout

  package init(isClass: Bool, isDense: Bool, offsets: [Int], layout: RowLayout) {
    self.isClass = isClass
    self.isDense = isDense
    self.offsets = offsets
    self.layout = layout
  }
}
