public import Magical

/// The facts about a column that loops over rows need, without references to retain.
@frozen @usableFromInline
package struct ColumnPlan: BitwiseCopyable, Sendable {
  @usableFromInline package let codec: ColumnCodec
  @usableFromInline package let packing: _MagicalPacking
  @usableFromInline package let isNullable: Bool
  /// Whether the column's class decides whether a value has changed.
  package let hasOwnChangeRule: Bool
}
