/// Values in PostgreSQL's binary form: the parameters of a statement, or the rows of a COPY.
///
/// A value is its length in four bytes, and its bytes. The memory is kept when the values are
/// removed. Used by one thread at a time.
package final class PostgreSQLFields {
  @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var capacity = 1024
  @exclusivity(unchecked) package private(set) var byteCount = 0
  /// The offset of the length of each value.
  @exclusivity(unchecked) private var offsets: [Int] = []
  /// The offset of the length of the array to which elements are appended; else nil.
  @exclusivity(unchecked) private var array: Int?
  /// The number of bytes that a value must not reach.
  private let limit: Int
  /// Whether a value has reached the limit. Its bytes are not complete, and must not be sent.
  @exclusivity(unchecked) private var hasTooLargeValue = false
  // The arguments of a call of libpq.
  @exclusivity(unchecked) private var pointers: [UnsafePointer<CChar>?] = []
  @exclusivity(unchecked) private var lengths: [Int32] = []
  @exclusivity(unchecked) private var formats: [Int32] = []

  /// The maximum size of the memory that is kept.
  private static var retainedCapacity: Int { 256 * 1024 }

  /// - Parameter limit: the number of bytes that a value, and the parameters of a statement together,
  ///   must not reach. PostgreSQL's limit is 1 GiB.
  package init(limit: Int = 1 << 30) {
    self.limit = limit
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// The number of values.
  package var count: Int { offsets.count }

  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: memory, count: byteCount)
  }

  package func removeAll() {
    byteCount = 0
    array = nil
    hasTooLargeValue = false
    offsets.removeAll(keepingCapacity: true)
    guard capacity > Self.retainedCapacity else { return }
    memory.deallocate()
    capacity = Self.retainedCapacity
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  // MARK: Values

  package func appendNull() { begin(-1) }

  package func append(integer: Int64) {
    begin(8)
    append(word: integer)
  }

  package func append(real: Double) {
    begin(8)
    append(word: real.bitPattern)
  }

  package func append(boolean: Bool) {
    begin(1)
    append(byte: boolean ? 1 : 0)
  }

  package func append(bytes: UnsafeRawBufferPointer) {
    let length = length(bytes.count)
    begin(length)
    if length > 0 { append(raw: bytes) }
  }

  /// Appends a text in its stored form.
  package func append(text: UnsafeRawBufferPointer) {
    guard PostgreSQLText.needsEscape(text) else { return append(bytes: text) }
    let start = byteCount
    begin(0)
    guard length(text.count) > 0 else { return }
    PostgreSQLText.escape(text) { append(byte: $0) }
    patch(length(byteCount - start - 4), at: start)
  }

  package func append(text: String) {
    var text = text
    text.withUTF8 { append(text: UnsafeRawBufferPointer($0)) }
  }

  /// Appends the values of others.
  func append(valuesOf others: PostgreSQLFields) {
    for offset in others.offsets { offsets.append(byteCount + offset) }
    append(raw: others.bytes)
  }

  /// Appends values as one value, an array.
  func append(arrayOf type: PostgreSQLType, _ elements: PostgreSQLFields) {
    beginArray(of: type, count: elements.count)
    append(raw: elements.bytes)
    endArray()
  }

  /// Appends a list of integers as one value, an array.
  package func append(integers: some Collection<Int64>) {
    beginArray(of: .bigint, count: integers.count)
    reserve(integers.count * 12)
    for integer in integers { append(integer: integer) }
    endArray()
  }

  /// Begins an array. The following values are its elements.
  package func beginArray(of type: PostgreSQLType, count: Int) {
    let start = byteCount
    begin(0)
    append(word: Int32(count > 0 ? 1 : 0))
    append(word: Int32(0))
    append(word: type.oid)
    if count > 0 {
      append(word: Int32(truncatingIfNeeded: count))
      append(word: Int32(1))
    }
    array = start
  }

  package func endArray() {
    guard let start = array else { return }
    array = nil
    patch(length(byteCount - start - 4), at: start)
  }

  // MARK: COPY

  /// Appends the header of a COPY.
  package func appendCopyHeader() {
    for byte in Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] { append(byte: byte) }
    append(word: Int32(0))
    append(word: Int32(0))
  }

  /// Begins a row of a COPY. The following values are its columns.
  package func beginCopyRow(_ columnCount: Int) {
    append(word: Int16(truncatingIfNeeded: columnCount))
  }

  package func appendCopyTrailer() { append(word: Int16(-1)) }

  // MARK: Arguments

  /// Calls the body with the arguments of a call of libpq.
  func withArguments<Result>(
    _ body: (
      Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    pointers.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    while formats.count < offsets.count { formats.append(1) }
    for offset in offsets {
      let length = Int32(bigEndian: memory.loadUnaligned(fromByteOffset: offset, as: Int32.self))
      pointers.append(
        length < 0
          ? nil : UnsafePointer((memory + offset + 4).assumingMemoryBound(to: CChar.self)))
      lengths.append(length)
    }
    return body(Int32(truncatingIfNeeded: offsets.count), pointers, lengths, formats)
  }

  /// Checks the values before they are sent.
  ///
  /// - Parameter areParameters: whether they are sent together, as the parameters of a statement.
  /// - Throws: ``PostgreSQLError`` with the SQLSTATE 54000.
  func checkSizes(areParameters: Bool) throws(PostgreSQLError) {
    guard hasTooLargeValue || areParameters && byteCount >= limit else { return }
    throw PostgreSQLError(
      .refused, "The values are larger than PostgreSQL's limit of 1 GiB.", sqlState: "54000")
  }

  // MARK: Bytes

  /// Returns the length of a value; 0 if it is too large.
  private func length(_ count: Int) -> Int32 {
    guard count < limit, let length = Int32(exactly: count) else {
      hasTooLargeValue = true
      return 0
    }
    return length
  }

  private func begin(_ length: Int32) {
    if array == nil { offsets.append(byteCount) }
    append(word: length)
  }

  private func reserve(_ more: Int) {
    guard byteCount + more > capacity else { return }
    capacity = max(byteCount + more, capacity * 2)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    grown.copyMemory(from: memory, byteCount: byteCount)
    memory.deallocate()
    memory = grown
  }

  private func append(byte: UInt8) {
    reserve(1)
    memory.storeBytes(of: byte, toByteOffset: byteCount, as: UInt8.self)
    byteCount += 1
  }

  private func append(word: some FixedWidthInteger & BitwiseCopyable) {
    let size = word.bitWidth / 8
    reserve(size)
    memory.storeBytes(of: word.bigEndian, toByteOffset: byteCount, as: type(of: word))
    byteCount += size
  }

  private func append(raw bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    if let start = bytes.baseAddress {
      (memory + byteCount).copyMemory(from: start, byteCount: bytes.count)
    }
    byteCount += bytes.count
  }

  private func patch(_ length: Int32, at offset: Int) {
    memory.storeBytes(of: length.bigEndian, toByteOffset: offset, as: Int32.self)
  }
}
