import MagicSchema

/// The elements of a set in the memory of its array, for code that does not depend on their type.
struct Members {
  let base: UnsafeRawPointer
  let stride: Int
  let count: Int
  let schema: ObjectSchema

  subscript(position: Int) -> ObjectReference {
    ObjectReference(instance: base + position * stride, schema: schema)
  }

  /// Calls the body with the elements of an array; returns nil for an empty array without storage.
  static func of<Element: MagicObject, Result>(
    _ elements: [Element], _ schema: ObjectSchema, _ body: (Members) -> Result
  ) -> Result? {
    elements.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return nil }
      return body(
        Members(
          base: base, stride: MemoryLayout<Element>.stride, count: buffer.count, schema: schema))
    }
  }
}
