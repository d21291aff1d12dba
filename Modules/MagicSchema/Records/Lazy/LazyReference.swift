/// Where a lazy value is.
package enum LazyReference: Sendable {
  /// In a property of an object, or in the row of that object.
  case place(PropertyReference)
  /// In memory, for a property to be given it.
  case box(AnyLazyBox)
}
