public import Magical

/// One column as the loops over rows see it.
@frozen @usableFromInline
package struct ColumnPlan: BitwiseCopyable, Sendable {
  @usableFromInline package let codec: ColumnCodec
  @usableFromInline package let packing: _MagicalPacking
  @usableFromInline package let isNullable: Bool
}
