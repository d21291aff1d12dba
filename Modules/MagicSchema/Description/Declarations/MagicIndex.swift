/// An index over one or several properties of a type, declared in the type.
///
/// ```swift
/// static var indexes: [MagicIndex<Contact>] {
///   [MagicIndex(\.$lastName, \.$firstName), MagicIndex(\.$email, isUnique: true)]
/// }
/// ```
public struct MagicIndex<Model: MagicObject>: Sendable {
  let fields: @Sendable (Model) -> [PropertyReference?]
  let isUnique: Bool

  /// An index in the order of the given properties.
  ///
  /// - Parameter isUnique: whether no two rows may have the same values. Default: false.
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
