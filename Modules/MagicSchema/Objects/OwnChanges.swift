import CMagicRuntime
import MagicRuntime

/// The in-place changes that the caller has begun and not ended. What they change cannot be saved: of an
/// atomic change the value is not whole, and of a detached one the task expects more than there is.
package struct OwnChanges {
  private let hasDetached: Bool

  /// Nil where there are none, as for nearly every caller.
  package static var current: OwnChanges? {
    let hasDetached = DetachedChanges.shared.includeOwn()
    guard hasDetached || !magic_changes_are_none() else { return nil }
    return OwnChanges(hasDetached: hasDetached)
  }

  /// A call that waits could wait for a thread that waits for the property of an atomic change.
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

  /// - Throws: `MagicError` with `.changeInProgress` where one of them is of a property of the object.
  package func refuse(_ object: ObjectReference) throws {
    let schema = object.schema
    for (slot, column) in schema.properties.enumerated() where slot < schema.layout.slotCount {
      guard let box = object.property(slot).existingBox(column.packing), include(box) else {
        continue
      }
      throw MagicError(
        .changeInProgress,
        "The task that saves the object is changing the property in place. "
          + "Save it when the change has ended. Nothing was written.",
        type: schema.typeName, property: column.property)
    }
  }

  private func include(_ box: AnyPropertyBox) -> Bool {
    magic_changes_include(Unmanaged.passUnretained(box).toOpaque())
      || (hasDetached && DetachedChanges.shared.includeOwn(of: box))
  }
}
