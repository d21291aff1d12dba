package import Magical

/// A column whose values have one type.
package class TypedColumn<Value: Magical & Sendable>: ColumnSchema, @unchecked Sendable {
  package init(
    property: String, role: Role, options: [MagicOption], template: PropertyReference,
    codec: ColumnCodec = ColumnCodec(Value.self)
  ) {
    super.init(
      property: property, role: role, options: options, template: template, valueType: Value.self,
      codec: codec, packing: Value._packing, storageClass: Value.StoredValue.storageClass)
  }

  override var cases: EnumerationCases? {
    codec == .converted ? EnumerationCases(Value.self) : nil
  }

  package override func write(
    _ reference: PropertyReference, to writer: inout some MagicalWriter,
    marking: (AnyPropertyBox) -> Void
  ) throws -> Bool {
    guard let value = reference.load(Value.self, marking: marking) else { return false }
    try value.write(to: &writer)
    return true
  }

  package override func hasValue(_ reference: PropertyReference) -> Bool {
    reference.load(Value.self) != nil
  }

  override func shown(_ reference: PropertyReference) -> Any? { reference.load(Value.self) }

  package override func pack(
    from reader: borrowing some MagicalReader, into slot: UnsafeMutableRawPointer
  ) throws {
    let value = try Value.read(from: reader)
    switch Value._packing {
    case .inline: slot.initializeMemory(as: Value.self, to: value)
    case .object, .bytes, .link, .lazy:
      slot.initializeMemory(
        as: Unmanaged<PropertyBox<Value>>.self,
        to: .passRetained(PropertyBox(value, isChanged: false)))
    }
  }
}

/// The column of a `@PrimaryMagicValue`.
package final class PrimaryColumn<Value: MagicalPrimaryValue>: TypedColumn<Value>,
  @unchecked Sendable
{
  package override var isAssignedByStore: Bool { Value.self == Int.self }

  package override func assignDefault(_ reference: PropertyReference) {
    _ = reference.assignDefaultPrimary(Value.self)
  }

  package override func assignedPrimary(_ reference: PropertyReference) -> StoredPrimary? {
    (try? reference.load(Value.self)?.storedValue).flatMap { StoredPrimary($0) }
  }
}
