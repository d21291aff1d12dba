import MagicRuntime
import MagicSchema
import Magical

/// Gives the properties of an object the values of another instance of its row, which was just
/// fetched and is used nowhere else.
struct ObjectRefresh {
  private let object: ObjectReference
  private let fetched: ObjectReference
  private let names: Set<String>?

  /// - Parameter names: the properties, if not all.
  init(_ object: ObjectReference, from fetched: ObjectReference, only names: Set<String>?) {
    self.names = names
    self.object = object
    self.fetched = fetched
  }

  /// - Parameter note: receives the actions that restore the previous values.
  func run(_ note: (UndoAction) -> Void) {
    let schema = object.schema
    let first = object.property(0)
    for slot in 0..<schema.layout.slotCount {
      let (property, new) = (object.property(slot), fetched.property(slot))
      // A wrapper that was assigned from another object belongs to that object.
      guard property.isBox ? first.isBox : !first.isBox && property.row == first.row else {
        continue
      }
      let description = schema.stored(at: slot)
      if let names, !names.contains(description.property) { continue }
      let undo =
        description.isLazy
        ? refreshLazy(property, from: new, description)
        : (description as? any RefreshedProperty)?.refresh(property, from: new)
      if let undo { note(undo) }
    }
    guard names == nil else { return }
    for index in schema.reverses.indices {
      if let box = object.reverseBox(index), box.hasEdits { note(box.removeEdits()) }
    }
  }

  private func refreshLazy(
    _ property: PropertyReference, from new: PropertyReference, _ description: PropertySchema
  ) -> UndoAction? {
    let target = (description as? ToOneColumn).flatMap { _ in new.targetInRow }
    if property.lazyPropertyBox == nil, description is CollectionColumn { return nil }
    if property.lazyPropertyBox == nil, !property.isBox, property.hasPackedValue(of: new, .lazy) {
      return nil
    }
    return property.lazyPropertyBoxForChange()?.replace(isNull: new.isNullInRow, target: target)
  }
}

/// A property whose value is fetched together with its object.
protocol RefreshedProperty {
  /// Gives a property the value of a fetched one.
  ///
  /// - Returns: an action that restores the previous value, unless the program has set another one
  ///   meanwhile; nil if the value was not replaced.
  func refresh(_ property: PropertyReference, from fetched: PropertyReference) -> UndoAction?
}

extension TypedColumn: RefreshedProperty {
  func refresh(_ property: PropertyReference, from fetched: PropertyReference) -> UndoAction? {
    if property.existingBox(packing) == nil, property.hasPackedValue(of: fetched, packing) {
      return nil
    }
    return property.boxForChange(Value.self)
      .replace(by: PropertyBox(fetched.load(Value.self), isChanged: false))
  }
}

extension TypedToOneColumn: RefreshedProperty {
  func refresh(_ property: PropertyReference, from fetched: PropertyReference) -> UndoAction? {
    let new = RelationshipBox<Target>(fetched.load(Target.self), isChanged: false)
    let (row, column) = (fetched.row, fetched.column)
    new.target = row.isNull(column) ? nil : row.target(column).zIndex
    return property.boxForChange(Target.self).replace(by: new)
  }
}

extension TypedCollectionColumn: RefreshedProperty {
  func refresh(_ property: PropertyReference, from fetched: PropertyReference) -> UndoAction? {
    guard let box = fetched.existingBox(.object) as? RelationshipBox<Value>,
      let links = box.withLock({ box.links })
    else { return nil }
    // The closure retains the rows of the members.
    let new = RelationshipBox<Value>(links: copy(of: links)) { fetched.load(Value.self) }
    return property.boxForChange(Value.self).replace(by: new)
  }

  /// Returns the links without the rows of the members, which belong to another object.
  private func copy(of links: LinkSlice) -> LinkSlice {
    let keys = links.list.keys?.makeEmpty()
    if let all = links.list.keys { keys?.append(links.range, of: all) }
    let list = LinkList(self, copying: links.list, keys: keys)
    list.targets = Array(links.targets)
    if !links.list.positions.isEmpty { list.positions = Array(links.list.positions[links.range]) }
    return LinkSlice(list, start: 0, count: links.count)
  }
}

extension PropertyReference {
  /// Whether the fetched row of this property contains the same bytes as that of another one.
  fileprivate func hasPackedValue(of other: PropertyReference, _ packing: _MagicalPacking) -> Bool {
    withExtendedLifetime((storage, other.storage)) {
      guard row.isNull(column) == other.row.isNull(column) else { return false }
      if row.isNull(column) { return true }
      switch packing {
      case .inline:
        return packed.slot.load(as: UInt64.self) == other.packed.slot.load(as: UInt64.self)
      case .bytes: return packed.bytes.elementsEqual(other.packed.bytes)
      case .object, .link, .lazy: return false
      }
    }
  }

  private var packed: _MagicalPackedValue {
    _MagicalPackedValue(slot: row.slot(column), row: row.address)
  }
}
