package import MagicSchema
public import Magical

/// Values of rows, parameters or results: fields, and separate memory for the bytes of texts and
/// blobs.
///
/// The buffer keeps its memory when it is emptied, so that small saves allocate nothing. Used by
/// one thread at a time.
@usableFromInline
package final class FieldBuffer {
  @exclusivity(unchecked) @usableFromInline
  var fields: UnsafeMutablePointer<Field>
  @exclusivity(unchecked) @usableFromInline var fieldCapacity: Int
  @exclusivity(unchecked) @usableFromInline var fieldCount = 0

  @exclusivity(unchecked) @usableFromInline var bytes: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline var byteCapacity: Int
  @exclusivity(unchecked) @usableFromInline var usedBytes = 0

  /// Copies of large texts and blobs. Their addresses do not change.
  @exclusivity(unchecked) private var large: [UnsafeRawBufferPointer] = []
  @exclusivity(unchecked) private var largeByteCount = 0
  /// The contents of fields that are files.
  @exclusivity(unchecked) private var files: [FileContent?] = []

  /// The maximum size of a text or blob that is copied into the buffer's memory.
  @inlinable static var largestCopy: Int { 16 * 1024 }
  /// The maximum size of the memory that the emptied buffer keeps.
  private static var retainedCapacity: Int { 256 * 1024 }
  /// The maximum number of fields whose memory the emptied buffer keeps.
  private static var retainedFieldCapacity: Int { 4096 }

  package init() {
    fieldCapacity = 64
    fields = .allocate(capacity: fieldCapacity)
    byteCapacity = 1024
    bytes = .allocate(byteCount: byteCapacity, alignment: 16)
  }

  deinit {
    removeLarge()
    fields.deallocate()
    bytes.deallocate()
  }

  /// The number of fields.
  @inlinable package var count: Int { fieldCount }

  /// The field at an index.
  package subscript(index: Int) -> Field { fields[index] }

  /// The address of the fields, valid until fields are appended.
  @inlinable package var firstField: UnsafePointer<Field> { UnsafePointer(fields) }

  /// The mutable address of the fields, valid until fields are appended.
  @inlinable package var firstMutableField: UnsafeMutablePointer<Field> { fields }

  /// The address of the texts and blobs, valid until the next write.
  @inlinable package var firstByte: UnsafeRawPointer { UnsafeRawPointer(bytes) }

  /// Returns the bytes of a text or blob in the buffer's memory, valid until the next write.
  package func bytes(of field: Field) -> UnsafeRawBufferPointer { field.bytes(in: firstByte) }

  /// Returns the bytes of a large text or blob, valid until the buffer is emptied.
  @usableFromInline
  package func largeBytes(of field: Field) -> UnsafeRawBufferPointer { large[Int(field.bits)] }

  /// The number of bytes of all texts and blobs.
  package var byteCount: Int { usedBytes + largeByteCount }

  /// Returns the content of a file, or nil for a value without content, which has no file.
  package func file(of field: Field) -> FileContent? { files[Int(field.bits)] }

  /// Appends fields. The caller must set all of them.
  ///
  /// - Returns: the index of the first field.
  @inlinable
  package func append(_ width: Int) -> Int {
    let first = fieldCount
    if first + width > fieldCapacity { growFields(to: first + width) }
    fieldCount = first + width
    return first
  }

  /// Removes all fields.
  package func removeAll() {
    fieldCount = 0
    usedBytes = 0
    if !large.isEmpty { removeLarge() }
    if !files.isEmpty { files = [] }
    if fieldCapacity > Self.retainedFieldCapacity {
      fields.deallocate()
      fieldCapacity = Self.retainedFieldCapacity
      fields = .allocate(capacity: fieldCapacity)
    }
    guard byteCapacity > Self.retainedCapacity else { return }
    bytes.deallocate()
    byteCapacity = Self.retainedCapacity
    bytes = .allocate(byteCount: byteCapacity, alignment: 16)
  }

  private func removeLarge() {
    for copy in large { copy.deallocate() }
    large = []
    largeByteCount = 0
  }

  /// Creates a field with a copy of a value.
  @inlinable
  package func field(of value: some PackableColumn) -> Field {
    switch value.kind {
    case .null: .null
    case .integer: .integer(value.integer)
    case .real: .real(value.real)
    case .text: copy(text: value.textBytes)
    case .blob: copy(blob: value.blobBytes)
    }
  }

  @inlinable
  package func set(_ field: Field, at index: Int) { fields[index] = field }

  /// Creates a field with a copy of a text.
  @inlinable
  package func copy(text: UnsafeRawBufferPointer) -> Field {
    copy(text, as: .text, orLarge: .largeText)
  }

  /// Creates a field with a copy of a blob.
  @inlinable
  package func copy(blob: UnsafeRawBufferPointer) -> Field {
    copy(blob, as: .blob, orLarge: .largeBlob)
  }

  package func set(file content: FileContent?, at index: Int) {
    files.append(content)
    set(Field(.file, bits: Int64(files.count - 1)), at: index)
  }

  @inlinable @inline(__always)
  func copy(
    _ value: UnsafeRawBufferPointer, as kind: Field.Kind, orLarge largeKind: Field.Kind
  ) -> Field {
    guard value.count <= Self.largestCopy else { return copyLarge(value, as: largeKind) }
    if value.count > byteCapacity - usedBytes { growBytes(by: value.count) }
    let start = usedBytes
    if let source = value.baseAddress {
      (bytes + start).copyMemory(from: source, byteCount: value.count)
    }
    usedBytes += value.count
    return Field(kind, bits: Int64(start), count: UInt32(truncatingIfNeeded: value.count))
  }

  @usableFromInline
  func growFields(to needed: Int) {
    let capacity = max(needed, fieldCapacity * 2)
    let grown = UnsafeMutablePointer<Field>.allocate(capacity: capacity)
    grown.moveInitialize(from: fields, count: fieldCount)
    fields.deallocate()
    fields = grown
    fieldCapacity = capacity
  }

  @usableFromInline
  func copyLarge(_ value: UnsafeRawBufferPointer, as kind: Field.Kind) -> Field {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: value.count, alignment: 1)
    copy.copyMemory(from: value)
    large.append(UnsafeRawBufferPointer(copy))
    largeByteCount += value.count
    return Field(kind, bits: Int64(large.count - 1))
  }

  @usableFromInline
  func growBytes(by more: Int) {
    let capacity = max(usedBytes + more, byteCapacity * 2)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    grown.copyMemory(from: bytes, byteCount: usedBytes)
    bytes.deallocate()
    bytes = grown
    byteCapacity = capacity
  }
}
