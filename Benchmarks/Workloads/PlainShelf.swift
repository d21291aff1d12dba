/// A shelf with its books by name, as a plain struct.
public struct PlainShelf: Sendable {
  /// The number of books of a shelf.
  public static let size = 10
  /// Twenty-one characters.
  public var room: String
  /// Each book with its key.
  public var books: [String: PlainBook]

  /// All values of a shelf.
  @inlinable
  public init(room: String, books: [String: PlainBook]) {
    self.room = room
    self.books = books
  }

  /// Creates shelves with ten books each, always the same.
  public static func make(_ count: Int) -> [PlainShelf] {
    (0..<count).map { index in
      let books = (0..<size).map { place in
        let number = index * size + place
        return (
          "key \(1_000_000_000 + number)",
          PlainBook(title: "Book number \(1_000_000_000_000_000 + number)", pages: number % 900)
        )
      }
      return PlainShelf(
        room: "Room \(1_000_000_000_000_000 + index)",
        books: Dictionary(uniqueKeysWithValues: books))
    }
  }
}

/// A book as a plain struct.
public struct PlainBook: Sendable {
  /// Twenty-eight characters.
  public var title: String
  /// A whole number.
  public var pages: Int

  /// All values of a book.
  @inlinable
  public init(title: String, pages: Int) {
    self.title = title
    self.pages = pages
  }
}
