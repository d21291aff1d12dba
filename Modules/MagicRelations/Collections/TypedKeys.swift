import Foundation
import MagicSchema
package import Magical

/// The keys of the members of a dictionary. A key that is `Magical` is stored as in a column. Any
/// other key is stored as JSON.
package final class TypedKeys<Key: Hashable & Codable>: LinkKeys, @unchecked Sendable {
  private(set) var keys: [Key]
  private let coding: KeyCoding<Key>

  init() {
    keys = []
    coding = .of(Key.self)
  }

  package init(_ keys: [Key]) {
    self.keys = keys
    coding = .of(Key.self)
  }

  package var count: Int { keys.count }
  package var keyType: Any.Type { Key.self }
  package var storageClass: MagicalStorageClass { coding.storageClass }
  package func makeEmpty() -> any LinkKeys { TypedKeys() }

  package func append(_ indexes: Range<Int>, of others: any LinkKeys) {
    if let others = others as? TypedKeys<Key> { keys.append(contentsOf: others.keys[indexes]) }
  }

  package func append(from reader: borrowing some MagicalReader) throws {
    keys.append(try coding.read(from: reader))
  }

  package func write(_ index: Int, to writer: inout some MagicalWriter) throws {
    try coding.write(keys[index], to: &writer)
  }

  package func places(of others: any LinkKeys, start: Int, count: Int) -> [Int?] {
    guard let others = others as? TypedKeys<Key> else { return [] }
    var places: [Key: Int] = [:]
    places.reserveCapacity(count)
    for index in start..<start + count { places[keys[index]] = index }
    return others.keys.map { places[$0] }
  }

  package func storedPlaces(of others: any LinkKeys) -> [Int?] {
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
private class KeyCoding<Key: Hashable & Codable>: @unchecked Sendable {
  static func of(_ type: Key.Type) -> KeyCoding<Key> {
    func magical<Value: Magical>(_ type: Value.Type) -> KeyCoding<Key> {
      MagicalKeyCoding<Key, Value>()
    }
    // Without the casts of the other types.
    if type == String.self, let coding = StringKeyCoding() as? KeyCoding<Key> { return coding }
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

private final class StringKeyCoding: KeyCoding<String>, @unchecked Sendable {
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
