/// The relationships that a query loads in another way than they are declared.
package struct RelationshipLoading: Sendable {
  /// The lazy relationships that are loaded with the objects.
  package var preloads: [any RelationshipPreload] = []
  /// The other relationships that are not loaded, as indexes in `ObjectSchema.relationshipProperties`. They
  /// apply to the objects that the query finds, not to objects that these refer to.
  package var excluded: Set<Int> = []

  package init() {}
}
