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
  /// Makes the expressions and the predicate; nil for an index of all rows over properties. Called
  /// when the schema of the type exists, because expressions refer to it.
  let computed: (@Sendable () throws -> ComputedIndex)?

  /// Creates an index over properties, in the given order.
  ///
  /// - Parameter isUnique: whether two rows may not have the same values. Default: false.
  public init<each Value>(
    _ fields: repeat any KeyPath<Model, MagicField<each Value>> & Sendable, isUnique: Bool = false
  ) {
    self.isUnique = isUnique
    computed = nil
    self.fields = { template in
      var references: [PropertyReference?] = []
      repeat references.append(template[keyPath: each fields].ownReference)
      return references
    }
  }

  /// Creates an index over expressions.
  package init(isUnique: Bool, computed: @escaping @Sendable () throws -> ComputedIndex) {
    fields = { _ in [] }
    self.isUnique = isUnique
    self.computed = computed
  }

  /// Creates an index over the properties of another index, with a predicate.
  package init(
    _ index: MagicIndex, computed: @escaping @Sendable () throws -> ComputedIndex
  ) {
    fields = index.fields
    isUnique = index.isUnique
    self.computed = computed
  }
}

/// An index over expressions, or a partial index, before its expressions are made.
struct UnresolvedIndex: Sendable {
  let columns: [String]
  let isUnique: Bool
  let make: @Sendable () throws -> ComputedIndex
}
