public import Magical

/// A row that an engine reads.
///
/// The conforming types of an engine are `@usableFromInline`, so that ``RowPacker`` can be
/// specialized for them.
@usableFromInline
package protocol PackableRow {
  associatedtype Column: PackableColumn

  /// Returns the value of a column by its index.
  func value(_ index: Int) -> Column
}

/// A value of a row that an engine reads.
@usableFromInline
package protocol PackableColumn: MagicalReader {
  var kind: StoredKind { get }
  /// The bytes of a text. Their address is nil only after a failed memory allocation.
  var textBytes: UnsafeRawBufferPointer { get }
  /// The bytes of a blob.
  var blobBytes: UnsafeRawBufferPointer { get }
}

/// The storage class of a value, or NULL. An engine whose types have these numbers converts them without
/// a branch.
@frozen @usableFromInline
package enum StoredKind: UInt8, BitwiseCopyable, Sendable {
  case integer = 1
  case real, text, blob, null
}

extension PackableColumn {
  @inlinable package var storageClass: MagicalStorageClass? {
    switch kind {
    case .null: nil
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  @inlinable package var bytes: UnsafeRawBufferPointer {
    if case .text = kind { textBytes } else { blobBytes }
  }
}
