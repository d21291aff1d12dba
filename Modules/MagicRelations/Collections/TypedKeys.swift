import Foundation
import MagicSchema
package import Magical

/// The keys of the members of a dictionary. A key that is `Magical` is stored as in a column. Any
/// other key is stored as JSON.
///
/// The methods that are called for each key look up the metadata of generic types. ``StringKeys``
/// overrides them.
package class TypedKeys<Key: Hashable & Codable>: LinkKeys, @unchecked Sendable {
  // A list is filled by one task before others read it.
  @exclusivity(unchecked) final var keys: [Key]
  private let coding: KeyCoding<Key>

  init(_ keys: [Key], _ coding: KeyCoding<Key>) {
    self.keys = keys
    self.coding = coding
  }

  package convenience init(_ keys: [Key]) { self.init(keys, .of(Key.self)) }

  /// Returns a list of keys, of the class for their type.
  static func of(_ keys: [Key]) -> TypedKeys<Key> {
    guard Key.self == String.self, let list = StringKeys() as? TypedKeys<Key> else {
      return TypedKeys(keys)
    }
    list.keys = keys
    return list
  }

  package final var count: Int { keys.count }
  package final var keyType: Any.Type { Key.self }
  package final var storageClass: MagicalStorageClass { coding.storageClass }
  package func makeEmpty() -> any LinkKeys { TypedKeys([], coding) }

  package func append(_ indexes: Range<Int>, of others: any LinkKeys) {
    if let others = others as? TypedKeys<Key> { keys.append(contentsOf: others.keys[indexes]) }
  }

  package func append(from reader: borrowing some MagicalReader) throws {
    keys.append(try coding.read(from: reader))
  }

  package final func write(_ index: Int, to writer: inout some MagicalWriter) throws {
    try coding.write(keys[index], to: &writer)
  }

  /// Returns the place of each key among the `count` keys from `start` on. Of keys that are equal in
  /// Swift, the dictionary contains the last one's place.
  func places(from start: Int, count: Int) -> [Key: Int] {
    var places = [Key: Int](minimumCapacity: count)
    // Assigning each place would look up generic types in each iteration.
    places.merge(KeyPlaces(keys: keys[start..<start + count])) { $1 }
    return places
  }

  package final func places(of others: any LinkKeys, start: Int, count: Int) -> [Int?] {
    guard let others = others as? TypedKeys<Key> else { return [] }
    let places = places(from: start, count: count)
    return others.keys.map { key in places[key].map { start + $0 } }
  }

  package final func storedPlaces(of others: any LinkKeys) -> [Int?] {
    guard let others = others as? TypedKeys<Key> else { return [] }
    // The stored forms of equal integers are equal.
    guard !(Key.self is any FixedWidthInteger.Type) else {
      return places(of: others, start: 0, count: keys.count)
    }
    var places: [StoredKey<Key>: Int] = [:]
    places.reserveCapacity(keys.count)
    for index in keys.indices { places[storedKey(index)] = index }
    return others.keys.indices.map { places[others.storedKey($0)] }
  }

  /// A key that cannot be stored is compared itself. Its save fails.
  private func storedKey(_ index: Int) -> StoredKey<Key> {
    var writer = StoredKeyWriter<Key>(key: .unstored(keys[index]))
    return (try? write(index, to: &writer)) == nil ? .unstored(keys[index]) : writer.key
  }
}

/// Keys with their places among them.
private struct KeyPlaces<Key>: Sequence, IteratorProtocol {
  let keys: ArraySlice<Key>
  var place = 0

  init(keys: ArraySlice<Key>) { self.keys = keys }

  mutating func next() -> (Key, Int)? {
    guard place < keys.count else { return nil }
    defer { place += 1 }
    return (keys[keys.startIndex + place], place)
  }
}

/// The stored form of a key.
private enum StoredKey<Key: Hashable>: Hashable {
  case integer(Int64)
  case real(Double)
  case bytes([UInt8])
  case unstored(Key)
}

private struct StoredKeyWriter<Key: Hashable>: MagicalWriter {
  var key: StoredKey<Key>

  mutating func write(integer: Int64) { key = .integer(integer) }
  mutating func write(real: Double) { key = .real(real) }
  mutating func write(text: UnsafeRawBufferPointer) { key = .bytes(Array(text)) }
  mutating func write(blob: UnsafeRawBufferPointer) { key = .bytes(Array(blob)) }
}

/// The storage format of the keys of a type.
class KeyCoding<Key: Hashable & Codable>: @unchecked Sendable {
  static func of(_ type: Key.Type) -> KeyCoding<Key> {
    func magical<Value: Magical>(_ type: Value.Type) -> KeyCoding<Key> {
      MagicalKeyCoding<Key, Value>()
    }
    // Without the casts of the other types.
    if let coding = StringKeyCoding.shared as? KeyCoding<Key> { return coding }
    guard !hasJSONKeys(type), let type = type as? any Magical.Type else { return KeyCoding() }
    return magical(type)
  }

  var storageClass: MagicalStorageClass { .blob }

  func write(_ key: Key, to writer: inout some MagicalWriter) throws {
    try JSONColumn.encode(key)._write(to: &writer)
  }

  func read(from reader: borrowing some MagicalReader) throws -> Key {
    try JSONColumn.decode(Key.self, from: Data._read(from: reader))
  }
}

final class StringKeyCoding: KeyCoding<String>, @unchecked Sendable {
  static let shared = StringKeyCoding()

  override var storageClass: MagicalStorageClass { .text }

  override func write(_ key: String, to writer: inout some MagicalWriter) throws {
    try key._write(to: &writer)
  }

  override func read(from reader: borrowing some MagicalReader) throws -> String {
    try String._read(from: reader)
  }
}

private final class MagicalKeyCoding<Key: Hashable & Codable, Value: Magical>:
  KeyCoding<Key>, @unchecked Sendable
{
  override var storageClass: MagicalStorageClass { Value.StoredValue.storageClass }

  override func write(_ key: Key, to writer: inout some MagicalWriter) throws {
    guard let value = key as? Value else { return try super.write(key, to: &writer) }
    try value.write(to: &writer)
  }

  override func read(from reader: borrowing some MagicalReader) throws -> Key {
    guard let key = try Value.read(from: reader) as? Key else {
      return try super.read(from: reader)
    }
    return key
  }
}
