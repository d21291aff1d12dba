package import MagicSchema

/// The values of captured rows: fields in a row, and the bytes of texts and blobs beside them.
///
/// Its memory stays when it is emptied, so that small saves allocate nothing. Used by one thread at a
/// time.
package final class FieldBuffer {
  @exclusivity(unchecked) @usableFromInline
  var fields: UnsafeMutablePointer<Field>
  @exclusivity(unchecked) @usableFromInline var fieldCapacity: Int
  /// How many fields there are.
  @exclusivity(unchecked) package private(set) var count = 0

  @exclusivity(unchecked) @usableFromInline var bytes: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline var byteCapacity: Int
  @exclusivity(unchecked) @usableFromInline var usedBytes = 0

  @exclusivity(unchecked) private var large: [[UInt8]] = []
  /// The content of fields that are files.
  @exclusivity(unchecked) private var files: [FileContent?] = []

  /// The longest text or blob that is copied into the buffer's memory.
  private static var largestCopy: Int { 16 * 1024 }
  /// The most memory that is kept when the buffer is emptied.
  private static var keptCapacity: Int { 256 * 1024 }

  package init() {
    fieldCapacity = 64
    fields = .allocate(capacity: fieldCapacity)
    byteCapacity = 1024
    bytes = .allocate(byteCount: byteCapacity, alignment: 16)
  }

  deinit {
    fields.deallocate()
    bytes.deallocate()
  }

  /// A field by its place.
  @inlinable
  package subscript(place: Int) -> Field {
    @inline(__always) get { fields[place] }
  }

  /// The bytes of a text or blob in the buffer's memory, valid until something is written.
  @inlinable @inline(__always)
  package func bytes(of field: Field) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + Int(field.bits), count: Int(field.count))
  }

  /// The bytes of a large text or blob.
  package func largeBytes(of field: Field) -> [UInt8] { large[Int(field.bits)] }

  /// The content of a file; nil for a value without content, for which there is no file.
  package func file(of field: Field) -> FileContent? { files[Int(field.bits)] }

  /// Adds fields that are NULL.
  ///
  /// - Returns: the place of the first.
  package func append(_ width: Int) -> Int {
    let first = count
    if count + width > fieldCapacity { growFields(to: count + width) }
    (fields + first).update(repeating: .null, count: width)
    count += width
    return first
  }

  /// Removes all fields.
  package func removeAll() {
    count = 0
    usedBytes = 0
    if !large.isEmpty { large = [] }
    if !files.isEmpty { files = [] }
    guard byteCapacity > Self.keptCapacity else { return }
    bytes.deallocate()
    byteCapacity = Self.keptCapacity
    bytes = .allocate(byteCount: byteCapacity, alignment: 16)
  }

  @inline(__always)
  package func setNull(at place: Int) { fields[place] = .null }

  @inline(__always)
  package func set(_ integer: Int64, at place: Int) {
    fields[place] = Field(.integer, bits: integer)
  }

  @inline(__always)
  package func set(real: Double, at place: Int) {
    fields[place] = Field(.real, bits: Int64(bitPattern: real.bitPattern))
  }

  @inline(__always)
  package func set(text: UnsafeRawBufferPointer, at place: Int) {
    fields[place] = copy(text, as: .text, orLarge: .largeText)
  }

  @inline(__always)
  package func set(blob: UnsafeRawBufferPointer, at place: Int) {
    fields[place] = copy(blob, as: .blob, orLarge: .largeBlob)
  }

  package func set(file content: FileContent?, at place: Int) {
    files.append(content)
    fields[place] = Field(.file, bits: Int64(files.count - 1))
  }

  @inline(__always)
  private func copy(
    _ value: UnsafeRawBufferPointer, as kind: Field.Kind, orLarge largeKind: Field.Kind
  ) -> Field {
    guard value.count <= Self.largestCopy else {
      large.append([UInt8](value))
      return Field(largeKind, bits: Int64(large.count - 1))
    }
    if value.count > byteCapacity - usedBytes { growBytes(by: value.count) }
    let start = usedBytes
    if let source = value.baseAddress {
      (bytes + start).copyMemory(from: source, byteCount: value.count)
    }
    usedBytes += value.count
    return Field(kind, bits: Int64(start), count: UInt32(truncatingIfNeeded: value.count))
  }

  private func growFields(to needed: Int) {
    let capacity = max(needed, fieldCapacity * 2)
    let grown = UnsafeMutablePointer<Field>.allocate(capacity: capacity)
    grown.moveInitialize(from: fields, count: count)
    fields.deallocate()
    fields = grown
    fieldCapacity = capacity
  }

  private func growBytes(by more: Int) {
    let capacity = max(usedBytes + more, byteCapacity * 2)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    grown.copyMemory(from: bytes, byteCount: usedBytes)
    bytes.deallocate()
    bytes = grown
    byteCapacity = capacity
  }
}
