import MagicSchema

/// A relationship that is edited through its inverse. The object, whose type is the one that the
/// relationship refers to, is added to the value in memory or removed from it.
protocol EditableRelationship: PropertySchema {
  func insert(_ object: ObjectReference, into property: PropertyReference)
  func remove(_ object: ObjectReference, from property: PropertyReference)
}

extension TypedCollectionColumn: EditableRelationship {
  func insert(_ object: ObjectReference, into property: PropertyReference) {
    guard let member = object.typed(as: Value.Member.self) else { return }
    property.change(Value.self) { $0 = ($0 ?? .empty).applying([.insert(member)]) }
  }

  func remove(_ object: ObjectReference, from property: PropertyReference) {
    guard let member = object.typed(as: Value.Member.self) else { return }
    property.change(Value.self) { $0 = $0?.applying([.remove(member)]) }
  }
}

extension LazyCollectionColumn: EditableRelationship {
  func insert(_ object: ObjectReference, into property: PropertyReference) {
    guard let member = object.typed(as: Content.Member.self) else { return }
    LazyReference.place(property).edit([.insert(member)], of: Content.self)
  }

  func remove(_ object: ObjectReference, from property: PropertyReference) {
    guard let member = object.typed(as: Content.Member.self) else { return }
    LazyReference.place(property).edit([.remove(member)], of: Content.self)
  }
}

extension TypedToOneColumn: EditableRelationship {
  func insert(_ object: ObjectReference, into property: PropertyReference) {
    guard let target = object.typed(as: Target.self) else { return }
    property.change(Target.self) { $0 = target }
  }

  func remove(_ object: ObjectReference, from property: PropertyReference) {
    guard let target = object.typed(as: Target.self) else { return }
    property.change(Target.self) { current in
      if current.map({ MagicalSet([$0]).contains(target) }) ?? false { current = nil }
    }
  }
}

extension LazyToOneColumn: EditableRelationship {
  func insert(_ object: ObjectReference, into property: PropertyReference) {
    guard let target = object.typed(as: Target.self) else { return }
    LazyReference.place(property).set(target)
  }

  func remove(_ object: ObjectReference, from property: PropertyReference) {
    guard let target = object.typed(as: Target.self), let box = property.lazyPropertyBoxForChange()
    else { return }
    switch LazyReference.place(property).resolved() {
    case .null: return
    case .row(let place):
      // The row of the object, which a transaction that is not committed may have inserted, is
      // compared with the one that the relationship referred to when it was fetched or saved.
      guard let row = place.lazyPropertyBox.map(\.target) ?? place.targetInRow,
        object.identity == RowIdentity(store: row.store, zIndex: ZIndex(rawValue: row.zIndex))
      else { return }
    case .box(let content, _):
      guard let current = (content as? LazyBox<Target>)?.content,
        MagicalSet([current.0]).contains(target)
      else { return }
    }
    box.assign(.null)
  }
}

extension ObjectReference {
  /// Returns the object. Nil if it has another type.
  fileprivate func typed<Model: MagicObject>(as type: Model.Type) -> Model? {
    guard schema.type == type else { return nil }
    guard self.type.isClass else { return base.assumingMemoryBound(to: Model.self).pointee }
    return Unmanaged<AnyObject>.fromOpaque(base).takeUnretainedValue() as? Model
  }
}
