/// The box of an inverse relationship. It refers to the record of the object as soon as the object
/// is saved.
package final class ReversePropertyBox: AnyPropertyBox {
  /// The `ReverseRelationship` that the declaration names.
  package let relationship: any AnyObject & Sendable

  package init(_ relationship: any AnyObject & Sendable) {
    self.relationship = relationship
    super.init(isChanged: false, line: 0)
  }

  /// Attaches the record of the object when the object becomes a row.
  package func attach(_ record: ObjectRecord) {
    _ = ObjectRecord.inSlot(recordSlot, orInstall: record)
  }
}
