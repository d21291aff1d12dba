package import Magical

/// The keys of a dictionary's members, of any type; the conforming type knows it.
package protocol LinkKeys: AnyObject, Sendable {
  var count: Int { get }

  /// How a key is stored.
  var storageClass: MagicalStorageClass { get }

  /// An empty list for keys of the same type.
  func makeEmpty() -> any LinkKeys

  /// Takes over a key of others of the same type.
  func append(_ index: Int, of keys: any LinkKeys)

  /// Reads one more key.
  func append(from reader: borrowing some MagicalReader) throws

  func write(_ index: Int, to writer: inout some MagicalWriter) throws

  /// For each of other keys, in order, where it is among the first `count` of these from `start`
  /// on; nil where it is not.
  func places(of keys: any LinkKeys, start: Int, count: Int) -> [Int?]
}
