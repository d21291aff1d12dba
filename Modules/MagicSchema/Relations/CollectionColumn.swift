import MagicRuntime
import Magical

/// A property that holds a collection of objects. It is no column of the type's table: its members
/// are rows of a table of links.
package class CollectionColumn: PropertySchema, @unchecked Sendable {
  package let kind: LinkKind

  /// Whether owners and members lie in one ``RowGraph``. Set once, before the first fetch.
  @exclusivity(unchecked) package internal(set) var staysInGraph = false

  init(
    property: String, options: [MagicOption], template: PropertyReference, valueType: Any.Type,
    kind: LinkKind, isLazy: Bool = false
  ) {
    self.kind = kind
    super.init(
      property: property, options: options, valueType: valueType, template: template,
      isLazy: isLazy)
  }

  /// The members' type.
  ///
  /// - Throws: `MagicError` where that type cannot be stored as it is declared.
  package var target: ObjectSchema {
    get throws { throw MagicError(.invalidSchema, "There is no such type.") }
  }

  package var deleteRule: MagicDeleteRule {
    for case .onDelete(let rule) in options.map(\.kind) { return rule }
    return .nullify
  }

  /// Room for the keys of members; nil where they have none.
  package func makeKeys() -> (any LinkKeys)? { nil }

  func makeValue<Value>(of links: LinkSlice, as type: Value.Type) -> Value? { nil }

  /// Whether links are to be written for a property.
  package func isChanged(_ property: PropertyReference) -> Bool {
    property.existingCell(packing).map { cell in cell.withLock { cell.isChanged } } ?? false
  }

  /// A cell for a fetched collection.
  package func makeCell(_ links: LinkSlice) -> AnyCell { RelationCell<Never>(links: links) }

  /// Takes the members as they are now, and marks the collection as saved.
  package func capture(
    _ property: PropertyReference, marking: (AnyCell) -> Void
  ) throws -> CapturedMembers { CapturedMembers(.unset, saved: nil, isChanged: false) }

  /// Notes the links that were written for a property.
  package func noteSaved(_ links: LinkSlice, in property: PropertyReference) -> SavedLink? { nil }

  /// Lets go of saved members that keep the graph which keeps the property.
  package func loosen(_ property: PropertyReference) {}

  /// Leaves out of the value in memory what is gone.
  package func drop(
    from property: PropertyReference, where isGone: (ObjectReference) -> Bool
  ) {}
}

/// A collection's members at one moment.
package struct CapturedMembers {
  package enum Members {
    case unset
    case objects(HeldObjects, (any LinkKeys)?)
    /// As they were fetched, and maybe nobody has made objects of them.
    case fetched(LinkSlice)
    /// Those that the row of a lazy collection's owner has.
    case kept
    /// Those of another object's lazy collection, which are not in memory.
    case lost
  }

  package let members: Members
  /// What the database has.
  package let saved: LinkSlice?
  package let isChanged: Bool
  /// Of a lazy collection.
  package let lazy: LazyCapture?

  init(_ members: Members, saved: LinkSlice?, isChanged: Bool, lazy: LazyCapture? = nil) {
    self.members = members
    self.saved = saved
    self.isChanged = isChanged
    self.lazy = lazy
  }
}

package final class TypedCollectionColumn<Value: ObjectCollection>: CollectionColumn,
  @unchecked Sendable
{
  init(property: String, options: [MagicOption], template: PropertyReference) {
    super.init(
      property: property, options: options, template: template, valueType: Value.self,
      kind: Value.linkKind)
  }

  package override var target: ObjectSchema {
    get throws { try ObjectSchema.of(Value.Member.self) }
  }

  package override func makeKeys() -> (any LinkKeys)? { Value.makeKeys() }

  override func makeValue<Result>(of links: LinkSlice, as type: Result.Type) -> Result? {
    let members = links.list.target.makeObjects(Value.Member.self, at: links.rows)
    return Value(members: members, keys: links.list.keys, start: links.start) as? Result
  }

  package override func makeCell(_ links: LinkSlice) -> AnyCell {
    RelationCell<Value>(links: links)
  }

  package override func capture(
    _ property: PropertyReference, marking: (AnyCell) -> Void
  ) throws -> CapturedMembers {
    guard let present = property.existingCell(.object) else {
      return CapturedMembers(.unset, saved: nil, isChanged: false)
    }
    let cell: RelationCell<Value> = try relationCell(present)
    let (known, saved, isChanged, isDeferred) = cell.withPresentValue {
      let isChanged = cell.isChanged
      marking(cell)
      return (cell.value, cell.links, isChanged, cell.isDeferred)
    }
    if !isChanged, let saved, saved.rows.count == saved.count {
      return CapturedMembers(.fetched(saved), saved: saved, isChanged: false)
    }
    guard let value = isDeferred ? cell.load() : known else {
      return CapturedMembers(.unset, saved: saved, isChanged: isChanged)
    }
    let (members, keys) = value.membersAndKeys
    return CapturedMembers(
      .objects(HeldArray(members, schema: try target), keys), saved: saved, isChanged: isChanged)
  }

  package override func noteSaved(
    _ links: LinkSlice, in property: PropertyReference
  ) -> SavedLink? {
    guard let cell = property.existingCell(.object) as? RelationCell<Value> else { return nil }
    let before = cell.withLock {
      defer { cell.links = links }
      return cell.links
    }
    return SavedLink { cell.withLock { cell.links = before } }
  }

  package override func drop(
    from property: PropertyReference, where isGone: (ObjectReference) -> Bool
  ) {
    guard let cell = property.existingCell(.object) as? RelationCell<Value>,
      let schema = try? target
    else { return }
    // What nobody has read yet is made of its links, which have lost what is gone.
    guard var value = cell.load(),
      value.membersAndKeys.members.contains(where: { schema.withReference(to: $0, isGone) })
    else { return }
    value.drop { schema.withReference(to: $0, isGone) }
    let old = cell.withLock { () -> Value? in
      // Another value that was set meanwhile stays.
      guard !cell.isChanged else { return nil }
      defer {
        cell.value = value
        cell.isDeferred = false
      }
      return cell.value
    }
    withExtendedLifetime(old) {}
  }

  package override func loosen(_ property: PropertyReference) {
    guard staysInGraph, !property.isCell, let schema = try? target,
      let cell = property.existingCell(.object) as? RelationCell<Value>
    else { return }
    cell.loosen { value in
      let (members, keys) = value.membersAndKeys
      let places = members.map { member in
        schema.withReference(to: member) { $0.row(in: property.storage) }.map(Place.row)
          ?? Place.object(member)
      }
      guard places.contains(where: { if case .row = $0 { true } else { false } }) else {
        return nil
      }
      return { Value(members: places.map { $0.member(schema) }, keys: keys, start: 0) }
    }
  }

  /// A member of a loosened collection.
  private enum Place {
    /// One of the graph, which keeps nothing.
    case row(PackedRow)
    case object(Value.Member)

    func member(_ schema: ObjectSchema) -> Value.Member {
      switch self {
      case .row(let row): schema.makeObject(Value.Member.self, from: row)
      case .object(let member): member
      }
    }
  }

  override func text(of reference: PropertyReference) -> String? {
    let type = TypeName.unqualified(Value.Member.self)
    return reference.load(Value.self).map { "\($0.membersAndKeys.members.count) \(type)" }
  }
}
