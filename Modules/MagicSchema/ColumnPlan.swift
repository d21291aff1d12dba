package import Magical

/// One property as the loops over rows see it.
package struct ColumnPlan: BitwiseCopyable, Sendable {
  package let codec: ColumnCodec
  package let packing: MagicalPacking
  package let isNullable: Bool
  /// Where the property lies in an instance, in bytes.
  package let offset: Int
}
