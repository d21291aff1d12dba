public import CMagicSQLite

/// Memory for the texts and blobs of one run of a statement.
///
/// SQLite frees and allocates for every value it copies itself; here a copy is a `memcpy`. What was
/// copied stays until ``reset()``, which comes after the run. Values too large for it are left to
/// SQLite.
@usableFromInline
package final class ParameterArena {
  @usableFromInline let base: UnsafeMutableRawPointer
  @inlinable static var capacity: Int { 64 * 1024 }
  @exclusivity(unchecked) @usableFromInline var used = 0

  package init() {
    base = .allocate(byteCount: Self.capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  /// Forgets what was copied. No statement may run on it afterwards before it is bound anew.
  @inlinable
  package func reset() { used = 0 }

  @inlinable
  package func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard bytes.count <= Self.capacity - used else { return nil }
    let place = base + used
    used += bytes.count
    if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
    return UnsafeRawPointer(place)
  }
}

extension SQLiteStatement {
  /// Sets a parameter to a text that lies in the arena for the run that follows.
  @inlinable
  package func bind(
    text bytes: UnsafeRawBufferPointer, at index: Int, in arena: ParameterArena
  ) throws(SQLiteError) {
    guard let place = arena.copy(bytes) else { return try bind(text: bytes, at: index) }
    try check(
      sqlite3_bind_text(
        pointer, Int32(clamping: index), place.assumingMemoryBound(to: CChar.self),
        Int32(truncatingIfNeeded: bytes.count), nil))
  }

  /// Sets a parameter to a blob that lies in the arena for the run that follows.
  @inlinable
  package func bind(
    blob bytes: UnsafeRawBufferPointer, at index: Int, in arena: ParameterArena
  ) throws(SQLiteError) {
    guard let place = arena.copy(bytes) else { return try bind(blob: bytes, at: index) }
    try check(
      sqlite3_bind_blob(
        pointer, Int32(clamping: index), place,
        Int32(truncatingIfNeeded: bytes.count), nil))
  }
}
