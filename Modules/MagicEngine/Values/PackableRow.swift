public import Magical

/// A row of a type as an engine reads it.
///
/// An engine's types that conform are `@usableFromInline`, so that ``RowPacker`` is compiled for them.
@usableFromInline
package protocol PackableRow {
  associatedtype Column: PackableColumn

  var rowID: Int64 { get }

  /// The value of a column of the type, which counts from 0.
  func value(_ index: Int) -> Column
}

/// A value of a row as an engine reads it.
@usableFromInline
package protocol PackableColumn: MagicalReader {
  var kind: StoredKind { get }
  /// The bytes of a text. They have an address, unless there is no memory for them.
  var textBytes: UnsafeRawBufferPointer { get }
  /// The bytes of a blob.
  var blobBytes: UnsafeRawBufferPointer { get }
}

/// The storage class of a value, NULL among them.
@frozen @usableFromInline
package enum StoredKind: UInt8, BitwiseCopyable, Sendable {
  case null, integer, real, text, blob
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
