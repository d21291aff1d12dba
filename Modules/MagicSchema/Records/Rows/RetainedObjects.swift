/// Objects of one type that stay where they are, for code that does not know the type.
@usableFromInline
package class RetainedObjects {
  @usableFromInline package final let type: TypeLayout
  package final let count: Int
  private let base: UnsafeRawPointer
  private let stride: Int

  fileprivate init(schema type: TypeLayout, base: UnsafeRawPointer, stride: Int, count: Int) {
    self.type = type
    self.base = base
    self.stride = stride
    self.count = count
  }

  /// Valid while this is.
  package final subscript(index: Int) -> ObjectReference {
    ObjectReference(instance: base + index * stride, schema: type)
  }
}

package final class RetainedArray<Model: Sendable>: RetainedObjects {
  private let objects: ContiguousArray<Model>

  package init(_ objects: [Model], schema: TypeLayout) {
    self.objects = ContiguousArray(objects)
    // The elements of an array that is never changed stay in place.
    let base = self.objects.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
    super.init(
      schema: schema, base: base ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped,
      stride: MemoryLayout<Model>.stride, count: objects.count)
  }
}
