import MagicRuntime
package import Magical

/// A collection of objects that is fetched when the property is read. The slot of the row is empty.
package final class LazyCollectionColumn<Value: LazyValue, Content: ObjectCollection>:
  CollectionColumn, @unchecked Sendable
{
  init(
    property: String, options: [MagicOption], template: PropertyReference,
    through: (any ThroughRelationship)? = nil
  ) {
    super.init(
      of: Content.self, property: property, options: options, template: template,
      valueType: Value.self, isLazy: true, through: through)
  }

  package override var packing: _MagicalPacking { .lazy }

  package override func isChanged(_ property: PropertyReference) -> Bool {
    guard let box = property.lazyPropertyBox else { return false }
    return switch box.state {
    // An earlier save of the transaction may have written the content.
    case .given(.box(let content)): !box.isBeingSaved(content)
    case .given(.place): true
    case .row, .null: false
    }
  }

  package override func capture(
    _ property: PropertyReference, marking: (AnyPropertyBox) -> Void
  ) throws -> CapturedMembers {
    switch LazyReference.place(property).resolved() {
    case .null: return CapturedMembers(.unset, saved: nil, isChanged: false)
    case .row(let place):
      guard place.isSame(as: property) else {
        return CapturedMembers(.lost, saved: nil, isChanged: true, lazy: LazyCapture())
      }
      let hasRow = !property.isBox || property.lazyOwner() != nil
      return CapturedMembers(
        hasRow ? .kept : .unset, saved: nil, isChanged: false, lazy: LazyCapture())
    case .box(let edits as LazyEdits<Content.Member>, _):
      return try capture(edits, of: property)
    case .box(let box, _):
      guard let propertyBox = property.lazyPropertyBox,
        let (value, version) = (box as? LazyBox<Content>)?.content
      else { return CapturedMembers(.lost, saved: nil, isChanged: true, lazy: LazyCapture()) }
      let (isRepeated, undo) = propertyBox.beginSave(box, version: version)
      let (members, keys) = value.membersAndKeys
      return CapturedMembers(
        .objects(RetainedArray(members, schema: try ObjectSchema.of(Content.Member.self)), keys),
        saved: nil,
        isChanged: !isRepeated,
        lazy: LazyCapture(undo) {
          propertyBox.endSave(box, version: version, at: property, lease: $0)
        })
    }
  }

  /// Captures the edits that an earlier save of the transaction has not written.
  private func capture(
    _ box: LazyEdits<Content.Member>, of property: PropertyReference
  ) throws -> CapturedMembers {
    guard let propertyBox = property.lazyPropertyBox, box.isOwned(by: propertyBox) else {
      return CapturedMembers(.lost, saved: nil, isChanged: true, lazy: LazyCapture())
    }
    let (edits, version) = box.edits(after: propertyBox.uncommittedVersion(of: box))
    guard !edits.isEmpty else {
      return CapturedMembers(.kept, saved: nil, isChanged: false, lazy: LazyCapture())
    }
    let (_, undo) = propertyBox.beginSave(box, version: version)
    return CapturedMembers(
      .edited(CapturedEdits(edits, schema: try ObjectSchema.of(Content.Member.self))), saved: nil,
      isChanged: true,
      lazy: LazyCapture(undo) {
        propertyBox.endSave(box, version: version, at: property, lease: $0)
      })
  }

  override func shown(_ reference: PropertyReference) -> Any? {
    switch LazyReference.place(reference).resolved() {
    case .null: nil
    case .row, .box(is LazyEdits<Content.Member>, _): ShownText("lazy")
    case .box(let box, _):
      (box as? LazyBox<Content>)?.content.map { value, _ in
        ShownText(value)
      }
    }
  }
}
