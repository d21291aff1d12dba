/// An index over one or more properties of a type, declared in the type.
///
/// ```swift
/// static var indexes: [MagicIndex<Contact>] {
///   [MagicIndex(\.$lastName, \.$firstName), MagicIndex(\.$email, isUnique: true)]
/// }
/// ```
public struct MagicIndex<Model: MagicObject>: Sendable {
  let fields: @Sendable (Model) -> [PropertyReference?]
  let isUnique: Bool

  /// Creates an index over properties, in the given order.
  ///
  /// - Parameter isUnique: whether two rows may not have the same values. Default: false.
  public init<each Value>(
    _ fields: repeat any KeyPath<Model, MagicField<each Value>> & Sendable, isUnique: Bool = false
  ) {
    self.isUnique = isUnique
    self.fields = { template in
      var references: [PropertyReference?] = []
      repeat references.append(template[keyPath: each fields].ownReference)
      return references
    }
  }
}
