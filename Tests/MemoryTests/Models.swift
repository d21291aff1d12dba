import Foundation
import MagicData

/// An object that refers to others and has files.
struct Shelf: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue(.onDelete(.cascade)) var books: [Book] = []
  @MagicValue var readers: MagicalSet<Reader> = []
  @OptionMagicValue var keeper: Reader?

  init() {}

  init(_ name: String, books: ClosedRange<Int>, readers: [Reader]) {
    self.name = name
    self.books = books.map { Book($0) }
    self.readers = MagicalSet(readers)
    keeper = readers.first
  }
}

struct Book: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue(.indexed) var title: String
  @MagicValue var cover: MagicAsset<Data>
  @ReverseMagicValue(\Shelf.$books) var shelves: AsyncReverseMagicSet<Shelf>

  init() { cover = .init() }

  init(_ number: Int) {
    self.number = number
    title = Self.title(number)
    cover = .init(value: Self.cover(number), pathExtension: "jpg")
  }

  static func title(_ number: Int) -> String { "book \(number)" }
  static func cover(_ number: Int) -> Data { Data("cover of \(number)".utf8) }
}

struct Reader: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var age: Int = 30

  init() {}

  init(_ name: String) { self.name = name }
}

/// The readers of a later version.
enum Later {
  struct Reader: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var age: String
    @MagicValue(.indexed) var city: String = "Ulm"

    static var tableName: String { "Reader" }

    init() {}
  }
}
