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

  package func append(_ index: Int, of others: any LinkKeys) {
    if let others = others as? TypedKeys<Key> { keys.append(others.keys[index]) }
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
}

/// The storage format of the keys of a type.
private class KeyCoding<Key: Hashable & Codable>: @unchecked Sendable {
  static func of(_ type: Key.Type) -> KeyCoding<Key> {
    func magical<Value: Magical>(_ type: Value.Type) -> KeyCoding<Key> {
      MagicalKeyCoding<Key, Value>()
    }
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
