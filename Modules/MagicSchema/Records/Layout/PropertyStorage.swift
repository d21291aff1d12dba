public import MagicRuntime

/// What keeps a property's value: a ``PropertyBox`` of its own, or the ``RowChunk`` or ``RowGraph`` that a
/// fetched row lies in.
@usableFromInline
package class PropertyStorage: Locked {
  @usableFromInline package override init() { super.init() }
}
