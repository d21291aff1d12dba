import CMagicRuntime
package import MagicSchema

/// The in-place changes that the calling task has begun and not finished.
///
/// The properties that they change cannot be saved. During an atomic change the value may be in an
/// intermediate state. During a detached change the property still has the value from before the
/// change, which the calling task would not expect to be saved.
package struct OwnChanges {
  private let hasDetached: Bool

  /// The changes of the caller; nil if there are none, which is the usual case.
  package static var current: OwnChanges? {
    let hasDetached = DetachedChanges.shared.includeOwn()
    guard hasDetached || !magic_changes_are_none() else { return nil }
    return OwnChanges(hasDetached: hasDetached)
  }

  /// Throws if the caller is inside an atomic change. A blocking call there could deadlock: it
  /// could wait for a thread that waits for the property of the change.
  ///
  /// - Throws: `MagicError` with `.changeInProgress` inside an atomic change of any property.
  package static func refuseToWait() throws {
    guard magic_changes_are_none() else {
      throw MagicError(
        .changeInProgress,
        "The database was called from inside an in-place change of a property. "
          + "Call it when the change has ended. Nothing was written.")
    }
  }

  /// Throws if one of the changes is that of a property of the object.
  ///
  /// - Throws: `MagicError` with `.changeInProgress`.
  package func refuse(_ object: ObjectReference) throws {
    let schema = object.schema
    for (slot, column) in schema.properties.enumerated() where slot < schema.layout.slotCount {
      guard let box = object.property(slot).existingBox(column.packing), include(box) else {
        continue
      }
      throw MagicError(
        .changeInProgress,
        "The task that saves the object is changing the property in place. "
          + "Save the object when the change has ended. Nothing was written.",
        type: schema.typeName, property: column.property)
    }
  }

  private func include(_ box: AnyPropertyBox) -> Bool {
    magic_changes_include(Unmanaged.passUnretained(box).toOpaque())
      || (hasDetached && DetachedChanges.shared.includeOwn(of: box))
  }
}
