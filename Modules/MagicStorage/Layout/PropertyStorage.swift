public import MagicRuntime

/// The object that owns the value of a property: a ``PropertyBox``, or the ``RowChunk`` or
/// ``RowGraph`` that contains a fetched row.
@usableFromInline
package class PropertyStorage: Locked {
  @usableFromInline package override init() { super.init() }
}
