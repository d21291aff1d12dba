public import Foundation

/// A UUID that is stored as its sixteen bytes. A `UUID` is stored as text of 36 characters.
///
/// ```swift
/// struct Device: MagicObject {
///   @PrimaryMagicValue var id: MagicUUID
///   @OptionMagicValue(.indexed) var owner: MagicUUID?
///
///   init() {}
/// }
/// ```
///
/// The column and each of its indexes take less than half of the space. It can be used wherever a
/// `UUID` can: as a primary, whose default value is random, in keys, in queries and in
/// dictionaries. The order in the database is that of the bytes, which is also the order of the
/// texts of UUIDs. Other programs see a blob; the SQL expression `hex(id)` shows its digits.
///
/// A property can change from `UUID` to `MagicUUID` and back: its table is rewritten when the type is
/// first used.
public struct MagicUUID: Hashable, Sendable {
  /// The UUID.
  public var uuid: UUID

  /// Creates a random UUID.
  public init() { uuid = UUID() }

  /// Creates the value from a UUID.
  @inlinable public init(_ uuid: UUID) { self.uuid = uuid }

  /// Creates the value from the 36 characters of a UUID in upper or lower case; nil for any other
  /// text.
  public init?(_ text: String) {
    var text = text
    guard let uuid = text.withUTF8({ UUID(text: UnsafeRawBufferPointer($0)) }) else { return nil }
    self.uuid = uuid
  }
}

/// Stored as sixteen bytes.
extension MagicUUID: Magical {
  /// The sixteen bytes.
  public var storedValue: Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }

  /// Creates the UUID from sixteen bytes; any other number of bytes throws.
  public init(storedValue: Data) throws {
    guard storedValue.count == 16 else {
      throw MagicalError.cannotDecode("a UUID has 16 bytes")
    }
    uuid = storedValue.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The sixteen bytes are stored after the slots of the row.
  @inlinable public static var _packing: _MagicalPacking { .bytes }

  /// Creates the value from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> MagicUUID {
    MagicUUID(UUID(uuid: value.bytes.loadUnaligned(as: uuid_t.self)))
  }
}

/// The default value of a new object is a random UUID.
extension MagicUUID: MagicalPrimaryValue {
  /// Returns a random UUID.
  public static func makePrimaryValue() -> MagicUUID? { MagicUUID() }
}

extension MagicUUID: Comparable {
  /// Compares the bytes.
  public static func < (left: MagicUUID, right: MagicUUID) -> Bool {
    withUnsafeBytes(of: left.uuid.uuid) { left in
      withUnsafeBytes(of: right.uuid.uuid) { left.lexicographicallyPrecedes($0) }
    }
  }
}

extension MagicUUID: LosslessStringConvertible {
  /// The 36 characters in upper case.
  public var description: String { uuid.uuidString }
}

/// Encoded as the text of the UUID.
extension MagicUUID: Codable {
  /// Decodes the text of a UUID.
  public init(from decoder: any Decoder) throws {
    uuid = try decoder.singleValueContainer().decode(UUID.self)
  }

  /// Encodes the text of the UUID.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uuid)
  }
}
