/// The row IDs that a file gives to its new rows.
///
/// The upper 31 bits of a row ID are the number of the store that created the row, the lower 32 bits
/// count the store's rows. A file that was not prepared for sharing has the number 0: its rows count
/// from 1.
package struct RowIDRange: Equatable, Sendable {
  /// The number of the store; 0 if the file was not prepared for sharing.
  package let storeNumber: Int64

  package init(storeNumber: Int64) { self.storeNumber = storeNumber }

  package static let unshared = RowIDRange(storeNumber: 0)

  /// The number of bits that count the rows.
  package static let counterBits: Int64 = 32
  /// The first number that these bits cannot represent.
  package static let counterLimit: Int64 = 1 << counterBits
  /// The highest number of a store.
  package static let highestNumber: Int64 = 1 << 31 - 1

  package var isShared: Bool { storeNumber != 0 }

  /// The row ID before the first one.
  package var base: Int64 { storeNumber << Self.counterBits }

  /// The highest row ID.
  package var last: Int64 { isShared ? base | (Self.counterLimit - 1) : .max }

  /// The positions of list members in this file.
  package var positions: ListPositions { ListPositions(storeNumber: storeNumber) }
}
