package import Magical

/// One column of a type's table, and how the type's property is read and written.
///
/// The store handles the types of ``ColumnCodec`` itself; the methods here serve every other type.
/// They are class dispatch, since they run once per value. To-ones and lazy files have no value that
/// is written or packed: for them the methods that do so have no effect.
package class ColumnSchema: PropertySchema, @unchecked Sendable {
  package enum Role: Sendable {
    case primary
    case required
    case optional
  }

  package let role: Role
  package let codec: ColumnCodec
  package let storageClass: MagicalStorageClass
  private let valuePacking: _MagicalPacking

  init(
    property: String, role: Role, options: [MagicOption], template: PropertyReference,
    valueType: Any.Type, codec: ColumnCodec, packing: _MagicalPacking,
    storageClass: MagicalStorageClass
  ) {
    self.role = role
    self.codec = codec
    self.storageClass = storageClass
    valuePacking = packing
    super.init(
      property: property, options: options, valueType: valueType, template: template,
      isLazy: packing == .lazy)
  }

  package final override var packing: _MagicalPacking { valuePacking }

  /// Whether the database counts the value up.
  package var isAssignedByStore: Bool { false }

  /// Writes the value; false where there is none.
  package func write(
    _ reference: PropertyReference, to writer: inout some MagicalWriter
  ) throws -> Bool { false }

  /// Whether a property has a value; a default primary that was never asked for is none.
  package func hasValue(_ reference: PropertyReference) -> Bool { false }

  /// Reads a value into an empty slot of a packed row.
  package func pack(
    from reader: borrowing some MagicalReader, into slot: UnsafeMutableRawPointer
  ) throws {}

  /// Ends what ``pack(from:into:)`` put into a slot of a row that never was finished.
  package func discard(_ slot: UnsafeMutableRawPointer) {
    guard packing == .object else { return }
    slot.assumingMemoryBound(to: Unmanaged<AnyPropertyBox>.self).pointee.release()
  }

  /// Gives a new object its default primary value.
  package func assignDefault(_ reference: PropertyReference) {}

  /// Takes what the property has to lie in a file, where the column is one of files, and marks it as
  /// saved.
  package func capture(
    _ property: PropertyReference, in store: StoreToken, marking: (AnyPropertyBox) -> Void
  ) -> CapturedFile { CapturedFile(.unset) }

  /// Whether the value must be written to the row of `first`, the object's first property.
  package func isChanged(_ property: PropertyReference, since first: PropertyReference) -> Bool {
    property.isChanged(packing, since: first)
  }

  /// The primary value where the column is the primary and has one; never assigns it.
  package func assignedPrimary(_ reference: PropertyReference) -> AnyHashable? { nil }
}

extension ColumnSchema {
  package var isUnique: Bool { role == .primary || options.contains(.unique) }
  package var isIndexed: Bool { options.contains(.indexed) || codec == .link }
  package var isNullable: Bool { role == .optional }
  /// Whether the column holds names of files.
  package var isFile: Bool { codec == .file }
}
