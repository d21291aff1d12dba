public import MagicSchema

/// The option of a unique index, for `MagicIndex(\.$email, .unique)`.
///
/// ```swift
/// static var indexes: [MagicIndex<Reading>] { [MagicIndex(\.$sensor, \.$time, .unique)] }
/// ```
public enum MagicIndexOption: Sendable {
  /// Two rows may not have the same values.
  case unique
}

// A parameter pack can be followed only by parameters with labels, so there is an initializer for
// each number of properties.
extension MagicIndex {
  /// Creates a unique index over a property.
  public init<Value>(
    _ field: any KeyPath<Model, MagicField<Value>> & Sendable, _ option: MagicIndexOption
  ) {
    self.init(field, isUnique: true)
  }

  /// Creates a unique index over two properties, in the given order.
  public init<First, Second>(
    _ first: any KeyPath<Model, MagicField<First>> & Sendable,
    _ second: any KeyPath<Model, MagicField<Second>> & Sendable, _ option: MagicIndexOption
  ) {
    self.init(first, second, isUnique: true)
  }

  /// Creates a unique index over three properties, in the given order.
  public init<First, Second, Third>(
    _ first: any KeyPath<Model, MagicField<First>> & Sendable,
    _ second: any KeyPath<Model, MagicField<Second>> & Sendable,
    _ third: any KeyPath<Model, MagicField<Third>> & Sendable, _ option: MagicIndexOption
  ) {
    self.init(first, second, third, isUnique: true)
  }
}
