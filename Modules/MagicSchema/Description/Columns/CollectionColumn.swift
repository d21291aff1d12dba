import MagicRuntime
import Magical

/// A property that contains a collection of objects. It is not a column of the type's table: its
/// members are rows of a join table or objects of a join type name them, or their own rows name the
/// owner.
///
/// Subclasses capture the values of properties and record what was saved. These are class methods,
/// not closures or protocol requirements, because each save calls them for each object. Methods
/// that apply only to collections that are fetched with their owner do nothing here.
package class CollectionColumn: PropertySchema, CollectionMaker, @unchecked Sendable {
  package let kind: LinkKind
  /// Whether the rows of the members name their owner, so that a member has one owner at most.
  package let isOwned: Bool
  /// The relationship whose join rows are objects; nil for other collections.
  package let through: (any ThroughRelationship)?
  /// The type of the members; see `target`.
  let memberType: any MagicObject.Type
  let targetLayout = KnownLayout()
  private let contentType: any ObjectCollection.Type

  /// Whether owners and members are stored in the same ``RowGraph``. Set once, before the first
  /// fetch.
  @exclusivity(unchecked) package internal(set) var staysInGraph = false

  init<Content: ObjectCollection>(
    of contentType: Content.Type, property: String, options: [MagicOption],
    template: PropertyReference, valueType: Any.Type, isLazy: Bool = false,
    through: (any ThroughRelationship)? = nil
  ) {
    self.through = through
    kind = Content.linkKind
    isOwned = options.contains(.owned)
    memberType = Content.Member.self
    self.contentType = contentType
    super.init(
      property: property, options: options, valueType: valueType, template: template,
      isLazy: isLazy)
  }

  /// The join type of a collection through one; nil for other collections.
  package final var joinType: JoinType? { get throws { try through?.resolved() } }

  /// Whether the collection is a list through a join type. Its members are sorted by a property of
  /// the join objects, and then by their row IDs. A row ID takes the place of the position in a list
  /// with a join table.
  package final var isListThrough: Bool { kind == .list && through != nil }

  package var deleteRule: MagicDeleteRule {
    for case .onDelete(let rule) in options.map(\.kind) { return rule }
    return .nullify
  }

  /// Returns an empty list for the keys of members; nil if they have no keys.
  package final func makeKeys() -> (any LinkKeys)? { contentType.makeKeys() }

  /// Returns the collection of the given links; nil for a lazy collection.
  package func makeValue<Value>(of links: LinkSlice, as type: Value.Type) -> Value? { nil }

  /// Whether the join rows of a property must be written.
  package func isChanged(_ property: PropertyReference) -> Bool {
    property.existingBox(packing).map { box in box.withLock { box.isChanged } } ?? false
  }

  /// Returns a box for a fetched collection.
  package func makeBox(_ links: LinkSlice) -> AnyPropertyBox {
    RelationshipBox<Never>(links: links)
  }

  /// Returns a box for a collection that is not loaded.
  package func makeExcludedBox() -> AnyPropertyBox {
    RelationshipBox<Never>(excludedTarget: nil)
  }

  /// Returns the current members, and clears the changed flag of the collection with `marking`.
  package func capture(
    _ property: PropertyReference, marking: (AnyPropertyBox) -> Void
  ) throws -> CapturedMembers { CapturedMembers(.unset, saved: nil, isChanged: false) }

  /// Records the links that were written for a property. The result restores the previous record.
  package func recordSaved(_ links: LinkSlice, in property: PropertyReference) -> UndoAction? {
    nil
  }

  /// Releases saved members that retain the graph which retains the property.
  package func releaseRetainCycle(_ property: PropertyReference) {}

  /// Removes deleted objects from the value in memory.
  package func drop(
    from property: PropertyReference, where isDeleted: (ObjectReference) -> Bool
  ) {}
}
