import Foundation
import MagicData
import Testing

/// The types of the description of the format. The tests of the modules that create their tables
/// check that these are as described.
enum DocumentedFormat {
  struct Person: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue(.indexed) var name: String
    @MagicValue var height: Double
    @OptionMagicValue var petName: String?

    init() {}
  }

  struct Ship: MagicObject {
    @PrimaryMagicValue(.rowID) var id: Int
    @MagicValue var name: String

    init() {}
  }

  struct Room: MagicObject {
    @MagicValue var name: String = ""

    init() {}
  }

  struct Label: MagicObject {
    @MagicValue var text: String = ""

    init() {}
  }

  struct Shelf: MagicObject {
    @MagicValue var room: Room
    @OptionMagicValue var below: Shelf?
    @MagicValue var books: [Book] = []
    @MagicValue(.onDelete(.cascade)) var labels: MagicalSet<Label> = []
    @MagicValue(.onDelete(.deny)) var loans: [String: Book] = [:]

    init() {}
  }

  struct Line: MagicObject {
    @MagicValue var article: String = ""

    init() {}
  }

  struct Order: MagicObject {
    @MagicValue var customer: String = ""
    @MagicValue(.owned, .onDelete(.cascade)) var lines: [Line] = []
    @MagicValue(.owned, .onDelete(.deny)) var gifts: [Line] = []

    init() {}
  }

  struct Photo: MagicObject {
    @MagicValue var title: String = ""
    @MagicValue var image: MagicAsset<Data>
    @OptionMagicValue var thumbnail: MagicAsset<Data>?

    init() { image = .init() }
  }
}

@Suite struct DocumentedFormatTests {
  @Test func typesOfTheDescriptionAreStored() async throws {
    let magic = try await MagicData(type: .temporary)
    let person = DocumentedFormat.Person()
    (person.name, person.height) = ("Ada", 1.7)
    try await magic.update(person)
    let ship = DocumentedFormat.Ship()
    ship.name = "Endeavour"
    #expect(try await magic.update(ship).rawValue == Int64(ship.id))
    let shelf = DocumentedFormat.Shelf()
    shelf.room = DocumentedFormat.Room()
    try await magic.update(shelf)
    try await magic.update(DocumentedFormat.Photo())
    try await magic.update(DocumentedFormat.Order())
    #expect(try await magic.verify().isSound)
    await magic.close()
  }
}
