/// The key of a type: properties whose values identify an object together, declared in the type.
///
/// ```swift
/// static var key: MagicKey<Self> { MagicKey(\.$user, \.$feed) }
/// ```
///
/// No two rows have the same values in all of these properties. `object(of:key:)` finds an object by
/// its key, and saving a new object updates the row that has its key.
public struct MagicKey<Model: MagicObject>: Sendable {
  /// The unique index over the properties; nil for no key.
  let index: MagicIndex<Model>?

  /// Creates no key, as in a type that declares none.
  public init() { index = nil }

  /// Creates a key of two or more properties, in the given order. They are values or to-ones that
  /// are neither optional nor lazy, and none is the primary or an asset.
  public init<First, Second, each Other>(
    _ first: any KeyPath<Model, MagicField<First>> & Sendable,
    _ second: any KeyPath<Model, MagicField<Second>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable
  ) {
    index = MagicIndex(first, second, repeat each others, isUnique: true)
  }
}
