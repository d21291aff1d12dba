/// A shelf with its books, as a plain struct.
public struct PlainShelf: Sendable {
  /// The number of books of a shelf.
  public static let size = 10
  /// Twenty-one characters.
  public var room: String
  /// The books in a random order, as in a dictionary.
  public var books: [PlainBook]

  /// All values of a shelf.
  @inlinable
  public init(room: String, books: [PlainBook]) {
    self.room = room
    self.books = books
  }

  /// Creates shelves with ten books each, always the same.
  public static func make(_ count: Int) -> [PlainShelf] {
    var random = SplitMix(state: 45)
    return (0..<count).map { index in
      let books = (0..<size).map { place in
        let number = index * size + place
        return PlainBook(
          key: "key \(1_000_000_000 + number)",
          title: "Book number \(1_000_000_000_000_000 + number)", pages: number % 900)
      }
      return PlainShelf(
        room: "Room \(1_000_000_000_000_000 + index)", books: books.shuffled(using: &random))
    }
  }
}

/// A book as a plain struct, with its key in the dictionary of its shelf.
public struct PlainBook: Sendable {
  /// Fourteen characters.
  public var key: String
  /// Twenty-eight characters.
  public var title: String
  /// A whole number.
  public var pages: Int

  /// All values of a book.
  @inlinable
  public init(key: String, title: String, pages: Int) {
    self.key = key
    self.title = title
    self.pages = pages
  }
}
