import Foundation

/// A photo as a plain struct: what lies in the row, and what lies in a file.
struct PlainPhoto: Sendable {
  var id: String
  var title: String
  var image: Data
}

extension PlainPhoto {
  /// The size of an image in bytes.
  static let size = 16 << 10

  /// Photos with random keys, the same ones every time.
  static func make(_ count: Int) -> [PlainPhoto] {
    var random = SplitMix(state: 44)
    return (0..<count).map { index in
      var image = Data(count: size)
      image[index % size] = 1
      return PlainPhoto(
        id: UUID(uuid: random.uuid()).uuidString, title: "Photo number \(index)", image: image)
    }
  }
}

/// A film of so many bytes, piece by piece.
struct PlainFilm: AsyncSequence, Sendable {
  typealias Element = Data

  static let pieceSize = 256 << 10
  /// The pieces.
  let count: Int

  func makeAsyncIterator() -> Iterator {
    Iterator(left: count, piece: Data(repeating: 7, count: Self.pieceSize))
  }

  struct Iterator: AsyncIteratorProtocol {
    var left: Int
    let piece: Data

    mutating func next() async -> Data? {
      guard left > 0 else { return nil }
      left -= 1
      return piece
    }
  }
}
