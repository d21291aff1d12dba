/// Objects of one type at stable addresses, for code that does not depend on the type.
@usableFromInline
package class RetainedObjects {
  @usableFromInline package final let type: _TypeLayout
  package final let count: Int
  fileprivate final var base: UnsafeRawPointer
  private let stride: Int

  fileprivate static var noObjects: UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
  }

  fileprivate init(schema type: _TypeLayout, base: UnsafeRawPointer, stride: Int, count: Int) {
    self.type = type
    self.base = base
    self.stride = stride
    self.count = count
  }

  /// Returns a reference to an object, which is valid as long as this instance.
  package final subscript(index: Int) -> ObjectReference {
    ObjectReference(instance: base + index * stride, schema: type)
  }
}

/// Objects of a type that is known at compile time.
package final class RetainedArray<Model: Sendable>: RetainedObjects {
  #if canImport(ObjectiveC)
    // An array of instances of a class can be an NSArray, whose elements have no addresses.
    private let objects: ContiguousArray<Model>
  #else
    private let objects: [Model]
  #endif

  package init(_ objects: [Model], schema: _TypeLayout) {
    #if canImport(ObjectiveC)
      self.objects = ContiguousArray(objects)
    #else
      // Creating another array would look up generic types.
      self.objects = objects
    #endif
    // The elements of an array that is never mutated do not move.
    let base = self.objects.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
    super.init(
      schema: schema, base: base ?? RetainedObjects.noObjects,
      stride: MemoryLayout<Model>.stride, count: objects.count)
  }
}

/// One object of a type that is known at compile time.
package final class RetainedObject<Model: Sendable>: RetainedObjects {
  @exclusivity(unchecked) private var object: Model

  package init(_ object: Model, schema: _TypeLayout) {
    self.object = object
    super.init(schema: schema, base: RetainedObjects.noObjects, stride: 0, count: 1)
    // The address of a stored property of a class instance never changes.
    base = withUnsafePointer(to: &self.object) { UnsafeRawPointer($0) }
  }
}
