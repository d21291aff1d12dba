package import Magical

/// The description of one column of a type's table, with the functions that read and write the
/// property.
///
/// The engine reads and writes the types of ``ColumnCodec`` directly. The methods of this class
/// serve all other types. They are class methods, not closures or protocol requirements, because
/// they run once for each value. For to-one relationships and lazy files these methods do nothing:
/// other code writes and packs their row IDs and file names.
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

  /// The cases of an enumeration; nil for any other type.
  var cases: EnumerationCases? { nil }

  /// Whether the database assigns the value by auto-increment.
  package var isAssignedByStore: Bool { false }

  /// Writes the value and returns true; returns false if there is no value.
  package final func write(
    _ reference: PropertyReference, to writer: inout some MagicalWriter
  ) throws -> Bool { try write(reference, to: &writer) { _ in } }

  /// The same, for a save.
  ///
  /// - Parameter marking: is called with the box of the property, if there is one, while its lock is
  ///   held.
  package func write(
    _ reference: PropertyReference, to writer: inout some MagicalWriter,
    marking: (AnyPropertyBox) -> Void
  ) throws -> Bool { false }

  /// Whether the property has a value. A default primary value that was not created yet is not a
  /// value.
  package func hasValue(_ reference: PropertyReference) -> Bool { false }

  /// Reads a value into an uninitialised slot of a packed row.
  package func pack(
    from reader: borrowing some MagicalReader, into slot: UnsafeMutableRawPointer
  ) throws {}

  /// Releases what ``pack(from:into:)`` stored in a slot of a row that was not completed.
  package func discard(_ slot: UnsafeMutableRawPointer) {
    guard packing == .object else { return }
    slot.assumingMemoryBound(to: Unmanaged<AnyPropertyBox>.self).pointee.release()
  }

  /// Assigns the default primary value to a new object.
  package func assignDefault(_ reference: PropertyReference) {}

  /// Copies the state of a property that is stored in a file, and clears its changed flag with
  /// `marking`, which is called while the lock of the box is held. Columns without a file return an empty state.
  package func capture(
    _ property: PropertyReference, in store: StoreToken, marking: (AnyPropertyBox) -> Void
  ) -> CapturedFile { CapturedFile(.unset) }

  /// Whether ``isChanged(_:since:)`` is overridden.
  package var hasOwnChangeRule: Bool { false }

  /// Whether the value was set, or was assigned from an object whose first property is not `first`.
  package func isChanged(_ property: PropertyReference, since first: PropertyReference) -> Bool {
    property.isChanged(packing, since: first)
  }

  /// The primary value, if this is the primary column and the value is assigned. This method does
  /// not assign the default value.
  package func assignedPrimary(_ reference: PropertyReference) -> StoredPrimary? { nil }
}

extension ColumnSchema {
  /// Whether the column needs a unique index.
  package var isUnique: Bool { role == .primary && !isRowID || options.contains(.unique) }
  package var isIndexed: Bool { options.contains(.indexed) || codec == .link }
  package var isNullable: Bool { role == .optional }
  /// Whether the column contains file names.
  package var isFile: Bool { codec == .file }
}
