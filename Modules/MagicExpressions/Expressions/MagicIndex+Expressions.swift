import MagicEngine
public import MagicSchema

/// Indexes over expressions, and partial indexes.
///
/// ```swift
/// static var indexes: [MagicIndex<Bill>] {
///   [
///     MagicIndex { $0.$email.asciiLowercased() },
///     MagicIndex(isUnique: true) { $0.$number.asciiLowercased() },
///     MagicIndex(\.$due, where: { $0.$isPaid == false }),
///   ]
/// }
/// ```
///
/// The database uses an index over an expression for queries with the same expression, and a partial
/// index for queries whose conditions contain its predicate. The expressions can contain properties
/// of the type itself, constants, comparisons, arithmetic and the functions of texts and numbers that
/// every program can compute. Others are refused with `.invalidSchema` when the type is first used.
extension MagicIndex {
  /// Creates an index over an expression.
  ///
  /// - Parameters:
  ///   - isUnique: whether two rows may not have the same value. Default: false.
  ///   - predicate: the condition of the rows that the index contains. Default: all rows.
  public init<Value>(
    isUnique: Bool = false,
    _ expression: @escaping @Sendable (MagicRow<Model>) -> MagicExpression<Model, Value>,
    where predicate: (@Sendable (MagicRow<Model>) -> MagicPredicate<Model>)? = nil
  ) {
    self.init(isUnique: isUnique) {
      try Self.computed([expression(Self.row).untyped], predicate)
    }
  }

  /// Creates an index over several expressions, in the given order.
  ///
  /// - Parameters:
  ///   - isUnique: whether two rows may not have the same values. Default: false.
  ///   - predicate: the condition of the rows that the index contains. Default: all rows.
  public init<each Value>(
    isUnique: Bool = false,
    _ expressions:
      @escaping @Sendable (MagicRow<Model>) -> (
        repeat MagicExpression<Model, each Value>
      ),
    where predicate: (@Sendable (MagicRow<Model>) -> MagicPredicate<Model>)? = nil
  ) {
    self.init(isUnique: isUnique) {
      let row = expressions(Self.row)
      var untyped: [QueryExpression] = []
      repeat untyped.append((each row).untyped)
      return try Self.computed(untyped, predicate)
    }
  }

  /// Creates an index over properties, in the given order, that contains only the rows for which the
  /// predicate is true.
  ///
  /// - Parameter isUnique: whether two of these rows may not have the same values. Default: false.
  public init<First, each Other>(
    _ first: any KeyPath<Model, MagicField<First>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable, isUnique: Bool = false,
    where predicate: @escaping @Sendable (MagicRow<Model>) -> MagicPredicate<Model>
  ) {
    self.init(MagicIndex(first, repeat each others, isUnique: isUnique)) {
      try Self.computed([], predicate)
    }
  }

  private static var row: MagicRow<Model> { MagicRow(scope: .innermost) }

  private static func computed(
    _ expressions: [QueryExpression],
    _ predicate: (@Sendable (MagicRow<Model>) -> MagicPredicate<Model>)?
  ) throws -> ComputedIndex {
    let schema = try ObjectSchema.of(Model.self)
    return ComputedIndex(
      expressions: try expressions.map { try IndexedExpression($0, of: schema) },
      predicate: try predicate.map { try IndexedExpression($0(row).untyped, of: schema) })
  }
}
