import MagicRuntime
import Magical

/// A property that holds a collection of objects. It is no column of the type's table: its members
/// are rows of a table of links.
///
/// Subclasses capture and note what properties hold. That is class dispatch, since each save asks for
/// each object. What only collections that are fetched with their objects do has no effect here.
package class CollectionColumn: PropertySchema, @unchecked Sendable {
  package let kind: LinkKind
  /// The members' type; see `target`.
  let memberType: any MagicObject.Type
  private let contentType: any ObjectCollection.Type

  /// Whether owners and members lie in one ``RowGraph``. Set once, before the first fetch.
  @exclusivity(unchecked) package internal(set) var staysInGraph = false

  init<Content: ObjectCollection>(
    of contentType: Content.Type, property: String, options: [MagicOption],
    template: PropertyReference, valueType: Any.Type, isLazy: Bool = false
  ) {
    kind = Content.linkKind
    memberType = Content.Member.self
    self.contentType = contentType
    super.init(
      property: property, options: options, valueType: valueType, template: template,
      isLazy: isLazy)
  }

  package var deleteRule: MagicDeleteRule {
    for case .onDelete(let rule) in options.map(\.kind) { return rule }
    return .nullify
  }

  /// An empty list for the keys of members; nil where they have none.
  package final func makeKeys() -> (any LinkKeys)? { contentType.makeKeys() }

  /// The collection that links are; nil for one that is fetched when it is asked for.
  func makeValue<Value>(of links: LinkSlice, as type: Value.Type) -> Value? { nil }

  /// Whether links are to be written for a property.
  package func isChanged(_ property: PropertyReference) -> Bool {
    property.existingBox(packing).map { box in box.withLock { box.isChanged } } ?? false
  }

  /// A box for a fetched collection.
  package func makeBox(_ links: LinkSlice) -> AnyPropertyBox {
    RelationshipBox<Never>(links: links)
  }

  /// Takes the members as they are now, and marks the collection as saved.
  package func capture(
    _ property: PropertyReference, marking: (AnyPropertyBox) -> Void
  ) throws -> CapturedMembers { CapturedMembers(.unset, saved: nil, isChanged: false) }

  /// Notes the links that were written for a property.
  package func noteSaved(_ links: LinkSlice, in property: PropertyReference) -> SavedLink? { nil }

  /// Releases saved members that keep the graph which keeps the property.
  package func releaseRetainCycle(_ property: PropertyReference) {}

  /// Leaves out of the value in memory what is gone.
  package func drop(
    from property: PropertyReference, where isGone: (ObjectReference) -> Bool
  ) {}
}
