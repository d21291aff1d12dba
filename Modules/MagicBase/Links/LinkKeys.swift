package import Magical

/// The keys of the members of a dictionary. The conforming type defines the type of the keys.
package protocol LinkKeys: AnyObject, Sendable {
  var count: Int { get }

  var keyType: Any.Type { get }

  /// The storage class of the keys.
  var storageClass: MagicalStorageClass { get }

  /// Returns an empty list for keys of the same type.
  func makeEmpty() -> any LinkKeys

  /// Appends keys from another list of the same type.
  func append(_ indexes: Range<Int>, of keys: any LinkKeys)

  /// Reads and appends a key.
  func append(from reader: borrowing some MagicalReader) throws

  func write(_ index: Int, to writer: inout some MagicalWriter) throws

  /// Returns for each of the other keys its index among the `count` keys from `start` on; nil for a
  /// key that is not among them.
  func places(of keys: any LinkKeys, start: Int, count: Int) -> [Int?]

  /// Like ``places(of:start:count:)``, but compares the stored forms of keys, as a database does. Two
  /// texts that are equal in Swift may have different Unicode normal forms.
  func storedPlaces(of keys: any LinkKeys) -> [Int?]
}

extension LinkKeys {
  /// Appends a key from another list of the same type.
  package func append(_ index: Int, of keys: any LinkKeys) { append(index..<index + 1, of: keys) }
}
