public import CMagicSQLite

/// Memory for the texts and blobs of one execution of a statement.
///
/// SQLite allocates and frees memory for each value that it copies. A copy into the arena is only a
/// `memcpy`. The bytes stay valid until ``reset()``, which is called after the execution. SQLite
/// copies values that do not fit.
@usableFromInline
package final class ParameterArena {
  @usableFromInline let base: UnsafeMutableRawPointer
  @inlinable static var capacity: Int { 64 * 1024 }
  @exclusivity(unchecked) @usableFromInline var used = 0

  package init() {
    base = .allocate(byteCount: Self.capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  /// Discards the copied bytes. A statement that is bound to them must get new bindings before it
  /// runs again.
  @inlinable
  package func reset() { used = 0 }

  @inlinable
  package func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard bytes.count <= Self.capacity - used else { return nil }
    let address = base + used
    used += bytes.count
    if let start = bytes.baseAddress { address.copyMemory(from: start, byteCount: bytes.count) }
    return UnsafeRawPointer(address)
  }
}

extension SQLiteStatement {
  /// Sets a parameter to a text. The bytes are stored in the arena for the next execution.
  @inlinable
  package func bind(
    text bytes: UnsafeRawBufferPointer, at index: Int, in arena: ParameterArena
  ) throws(SQLiteError) {
    guard let address = arena.copy(bytes) else { return try bind(text: bytes, at: index) }
    try check(
      sqlite3_bind_text(
        pointer, Int32(clamping: index), address.assumingMemoryBound(to: CChar.self),
        Int32(truncatingIfNeeded: bytes.count), nil))
  }

  /// Sets a parameter to a blob. The bytes are stored in the arena for the next execution.
  @inlinable
  package func bind(
    blob bytes: UnsafeRawBufferPointer, at index: Int, in arena: ParameterArena
  ) throws(SQLiteError) {
    guard let address = arena.copy(bytes) else { return try bind(blob: bytes, at: index) }
    try check(
      sqlite3_bind_blob(
        pointer, Int32(clamping: index), address,
        Int32(truncatingIfNeeded: bytes.count), nil))
  }
}
