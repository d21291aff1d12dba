package import Magical

/// One column as the loops over rows see it.
package struct ColumnPlan: BitwiseCopyable, Sendable {
  package let codec: ColumnCodec
  package let packing: MagicalPacking
  package let isNullable: Bool
}
