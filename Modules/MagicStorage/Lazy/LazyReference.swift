/// A reference to a lazy value.
package enum LazyReference: Sendable {
  /// The value of a property: in memory or in the row of its object.
  case place(PropertyReference)
  /// A value in memory that can be assigned to properties.
  case box(AnyLazyBox)
}
