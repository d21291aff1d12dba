public import Foundation

/// A film as a sequence of chunks.
public struct PlainFilm: AsyncSequence, Sendable {
  /// A chunk.
  public typealias Element = Data

  /// The size of a chunk in bytes.
  public static let pieceSize = 256 << 10
  /// The number of chunks.
  public let count: Int

  /// Creates a film with a number of chunks.
  public init(count: Int) { self.count = count }

  /// Returns an iterator that starts with the first chunk.
  public func makeAsyncIterator() -> Iterator {
    Iterator(left: count, piece: Data(repeating: 7, count: Self.pieceSize))
  }

  /// An iterator of the chunks.
  public struct Iterator: AsyncIteratorProtocol {
    var left: Int
    let piece: Data

    /// The next chunk, always with the same bytes.
    public mutating func next() async -> Data? {
      guard left > 0 else { return nil }
      left -= 1
      return piece
    }
  }
}
