/// A message that does not have the form of the protocol.
package struct MalformedMessage: Error, Equatable {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Reads the parts of a message, and checks its bounds.
struct ByteCursor {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// The bytes that were not read yet.
  var remaining: UnsafeRawBufferPointer { rest }

  mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type = Value.self
  ) throws -> Value {
    let bytes = try bytes(MemoryLayout<Value>.size)
    return Value(bigEndian: bytes.loadUnaligned(as: Value.self))
  }

  mutating func byte() throws -> UInt8 { try integer() }

  mutating func bytes(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, count <= rest.count else {
      throw MalformedMessage("A message ends before its last value.")
    }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }

  /// Reads a text that ends with a zero byte.
  mutating func text() throws -> String {
    guard let end = rest.firstIndex(of: 0) else {
      throw MalformedMessage("A text of a message has no end.")
    }
    let text = try bytes(end)
    _ = try byte()
    return String(decoding: text, as: UTF8.self)
  }
}
