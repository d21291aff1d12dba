package import Magical

/// The keys of a dictionary's members, of whatever type; a subclass knows it.
package class LinkKeys: @unchecked Sendable {
  package init() {}

  package var count: Int { 0 }

  /// How a key is stored.
  package var storageClass: MagicalStorageClass { .blob }

  /// Room for keys of the same type.
  package func makeEmpty() -> LinkKeys { LinkKeys() }

  /// Takes over a key of others of the same type.
  package func append(_ index: Int, of keys: LinkKeys) {}

  /// Reads one more key.
  package func append(from reader: borrowing some MagicalReader) throws {}

  package func write(_ index: Int, to writer: inout some MagicalWriter) throws {}

  /// For each key of another collection of keys, in order, where it is among the first `count` from
  /// `start` on; nil where it is not.
  package func places(of keys: LinkKeys, start: Int, count: Int) -> [Int?] { [] }
}
