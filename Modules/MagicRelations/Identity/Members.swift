import MagicSchema

/// The elements of a set as they lie in its array, whatever their type.
struct Members {
  let base: UnsafeRawPointer
  let stride: Int
  let count: Int
  let schema: ObjectSchema

  subscript(position: Int) -> ObjectReference {
    ObjectReference(instance: base + position * stride, schema: schema)
  }

  /// Calls the body with the elements of an array.
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
