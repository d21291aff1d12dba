import MagicBase
import MagicStorage

extension PropertySchema {
  /// Returns the box as the box of a relationship; nil if it was created as that of a plain value.
  ///
  /// - Parameter type: the class of the boxes, which the column stores: a cast would look it up on each
  ///   call.
  func relationshipBox<Value>(
    _ box: AnyPropertyBox, _ type: AnyClass
  ) -> RelationshipBox<Value>? {
    Swift.type(of: box) == type ? unsafeDowncast(box, to: RelationshipBox<Value>.self) : nil
  }
}

extension MagicError {
  /// The error of a relationship whose box was created as that of a plain value.
  static func notRelation(_ property: PropertySchema) -> MagicError {
    MagicError(
      .invalidSchema,
      "The property is declared in generic code that does not constrain its type to "
        + "MagicalRelation.", property: property.property)
  }
}
