/// Objects of one type that stay where they are, for code that does not know the type.
package class HeldObjects {
  package let schema: ObjectSchema
  package let count: Int
  private let base: UnsafeRawPointer
  private let stride: Int

  fileprivate init(schema: ObjectSchema, base: UnsafeRawPointer, stride: Int, count: Int) {
    self.schema = schema
    self.base = base
    self.stride = stride
    self.count = count
  }

  /// Valid while this is.
  package subscript(index: Int) -> ObjectReference {
    ObjectReference(instance: base + index * stride, schema: schema)
  }
}

package final class HeldArray<Model: MagicObject>: HeldObjects {
  private let objects: ContiguousArray<Model>

  package init(_ objects: [Model], schema: ObjectSchema) {
    self.objects = ContiguousArray(objects)
    // The elements of an array that nobody else changes stay in place.
    let base = self.objects.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
    super.init(
      schema: schema, base: base ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped,
      stride: MemoryLayout<Model>.stride, count: objects.count)
  }
}

extension ObjectSchema {
  /// Makes the object of a fetched row.
  package func hold(_ row: PackedRow) -> HeldObjects {
    let type = self.type
    return hold(row, as: type)
  }

  private func hold<Model: MagicObject>(_ row: PackedRow, as type: Model.Type) -> HeldObjects {
    HeldArray<Model>([makeObject(Model.self, from: row)], schema: self)
  }
}
