import Foundation
import MagicData

/// A collection of books: graphs, lists, sets, dictionaries, cascades, assets and lazy values.
enum Models {
  struct Author: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var age: Int = 0
    @ReverseMagicValue(\Book.$author) var books: AsyncReverseMagicSet<Book>

    init() {}

    init(_ name: String) { self.name = name }
  }

  struct Book: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue(.unique, .searchable) var title: String
    @MagicValue var text: MagicAsset<Data>
    @OptionMagicValue(.onDelete(.cascade)) var author: Author?
    @ReverseMagicValue(\Shelf.$borrowed) var borrowedFrom: AsyncReverseMagicSet<Shelf>

    init() { text = .init() }

    init(_ number: Int, by author: Author? = nil, bytes: Int = 300) {
      self.number = number
      title = "Book \(number)"
      text = .init(value: Self.text(number, bytes), pathExtension: "txt")
      self.author = author
    }

    static func text(_ number: Int, _ bytes: Int) -> Data {
      Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* (number | 1) &+ number) })
    }
  }

  struct Tag: MagicObject {
    @PrimaryMagicValue var name: String

    init() {}

    init(_ name: String) { self.name = name }
  }

  struct Shelf: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var books: [Book] = []
    @MagicValue var tags: MagicalSet<Tag> = []
    @MagicValue var places: [String: Book] = [:]
    @MagicValue var poster: AsyncMagical<MagicAsset<Data>>
    @MagicValue var borrowed: AsyncMagical<[Book]> = .init(value: [])

    init() { poster = .init(value: .init()) }

    init(_ number: Int) {
      self.number = number
      poster = .init(value: .init())
    }
  }

  /// A type whose table is migrated.
  struct Plate: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue(.indexed, .searchable) var name: String
    @MagicValue var stars: Int = 3
    @MagicValue var scan: MagicAsset<Data>

    static var indexes: [MagicIndex<Plate>] {
      [
        MagicIndex(isUnique: true) { $0.$name.asciiLowercased() },
        MagicIndex(\.$stars, where: { $0.$stars > 2 }),
      ]
    }

    static var migrations: Migrations {
      Migrations {
        MigrationStep {
          [
            .renameValue(name: "title", to: "name"), .deleteValue(name: "old"),
            .deleteValue(name: "back"),
          ]
        }
      }
    }

    init() { scan = .init() }

    init(_ number: Int) {
      self.number = number
      name = "Plate \(number)"
      scan = .init(value: Book.text(number, 500))
    }
  }

  /// The earlier version of the migrated type.
  enum Before {
    struct Plate: MagicObject {
      static var tableName: String { "Plate" }

      @PrimaryMagicValue var number: Int
      @MagicValue var title: String
      @OptionMagicValue var old: String?
      @MagicValue var scan: MagicAsset<Data>
      @MagicValue var back: MagicAsset<Data>

      init() { (scan, back) = (.init(), .init()) }

      init(_ number: Int) {
        self.number = number
        title = "Plate \(number)"
        old = "old \(number)"
        scan = .init(value: Book.text(number, 500))
        back = .init(value: Book.text(number + 1, 400))
      }
    }
  }
}
