/// Creates the collections of a property from their links.
package protocol CollectionMaker: AnyObject, Sendable {
  /// Returns the collection of the given links; nil if no collection is created from them.
  func makeValue<Value>(of links: LinkSlice, as type: Value.Type) -> Value?
}
