public import Foundation

/// A vector of numbers, for example an embedding of a text, which is stored as four bytes for each
/// number. An array of `Float` is stored as JSON.
///
/// ```swift
/// struct Passage: MagicObject {
///   @MagicValue(.searchable) var text: String
///   @OptionMagicValue var embedding: MagicVector?
///
///   init() {}
/// }
/// ```
///
/// Queries compute the distance of a vector: `order(nearest: .distance(\.$embedding, to: vector))`. The
/// database fixes no number of elements. A vector with NaN cannot be saved.
public struct MagicVector: Hashable, Sendable {
  /// The numbers.
  public var elements: [Float]

  /// Creates a vector of numbers.
  public init(_ elements: [Float]) { self.elements = elements }

  /// Creates a vector of numbers, each rounded to a `Float`.
  @_disfavoredOverload
  public init(_ numbers: [Double]) { elements = numbers.map { Float($0) } }

  /// The number of elements.
  public var count: Int { elements.count }

  /// Whether a number is NaN, so that the vector cannot be saved.
  package var containsNaN: Bool { elements.contains { $0.isNaN } }
}

/// Stored as four bytes for each number, the least significant byte first.
extension MagicVector: Magical {
  /// The bytes of the numbers.
  public var storedValue: Data {
    get throws {
      guard !containsNaN else { throw MagicalError.notANumber }
      return elements.withUnsafeBytes { Data($0) }
    }
  }

  /// Creates the vector from the bytes of its numbers; a number of bytes that is not a multiple of
  /// four throws.
  public init(storedValue: Data) throws {
    guard storedValue.count % MemoryLayout<Float>.size == 0 else {
      throw MagicalError.cannotDecode("a vector has four bytes for each number")
    }
    self = storedValue.withUnsafeBytes { MagicVector(bytes: $0) }
  }

  /// The bytes are stored after the slots of the row.
  @inlinable public static var _packing: _MagicalPacking { .bytes }

  /// Creates the value from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> MagicVector {
    MagicVector(bytes: value.bytes)
  }

  @usableFromInline
  init(bytes: UnsafeRawBufferPointer) {
    elements = Array(unsafeUninitializedCapacity: bytes.count / MemoryLayout<Float>.size) {
      (buffer, count) in
      count = buffer.count
      UnsafeMutableRawBufferPointer(buffer).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count * MemoryLayout<Float>.size)))
    }
  }
}

extension MagicVector: ExpressibleByArrayLiteral {
  /// Creates a vector of the numbers in brackets.
  public init(arrayLiteral elements: Float...) { self.elements = elements }
}

/// Encoded as an array of numbers.
extension MagicVector: Codable {
  /// Decodes an array of numbers.
  public init(from decoder: any Decoder) throws {
    elements = try decoder.singleValueContainer().decode([Float].self)
  }

  /// Encodes an array of numbers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}
