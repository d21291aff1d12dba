public import Foundation

/// A film of so many bytes, piece by piece.
public struct PlainFilm: AsyncSequence, Sendable {
  /// A piece.
  public typealias Element = Data

  /// In bytes.
  public static let pieceSize = 256 << 10
  /// The pieces.
  public let count: Int

  /// So many pieces.
  public init(count: Int) { self.count = count }

  /// Begins with the first piece.
  public func makeAsyncIterator() -> Iterator {
    Iterator(left: count, piece: Data(repeating: 7, count: Self.pieceSize))
  }

  /// Goes through the pieces.
  public struct Iterator: AsyncIteratorProtocol {
    var left: Int
    let piece: Data

    /// The next piece, the same bytes each time.
    public mutating func next() async -> Data? {
      guard left > 0 else { return nil }
      left -= 1
      return piece
    }
  }
}
