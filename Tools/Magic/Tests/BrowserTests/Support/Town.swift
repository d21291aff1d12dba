import Foundation
import MagicBrowser
import MagicData
import ToolTestSupport

/// The types of the tests, with a property of each form that pages show in its own way.
enum Town {
  enum Mood: String, Magical, Codable, CaseIterable { case calm, cheerful, tired }

  struct Person: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue var name: String = ""
    @MagicValue(.indexed) var age: Int = 0
    @MagicValue var isActive: Bool = false
    @MagicValue var born: Date = Date(timeIntervalSinceReferenceDate: 0)
    @MagicValue var mood: Mood = .calm
    @MagicValue var tags: [String] = []
    @OptionMagicValue var note: String?
    @OptionMagicValue var home: Home?
    @MagicValue var friends: MagicalSet<Person> = []
    @OptionMagicValue var picture: MagicAsset<Data>?

    init() {}
    init(_ name: String, age: Int = 0) {
      id = name.lowercased()
      self.name = name
      self.age = age
    }
  }

  struct Home: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue var name: String = ""
    @ReverseMagicValue(\Person.$home) var people: AsyncReverseMagicSet<Person>

    init() {}
    init(_ name: String) {
      id = name.lowercased()
      self.name = name
    }
  }

  /// A picture of one pixel.
  static let pixel =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    ) ?? Data()

  /// Saves people and homes: 120 persons, of which Ada refers to Mill and has two friends.
  static func fill(_ magic: MagicData) async throws {
    let mill = Home("Mill")
    var people: [Person] = []
    for number in 1...118 {
      let person = Person("Person \(number)", age: number % 50)
      person.isActive = number.isMultiple(of: 3)
      person.mood = Mood.allCases[number % 3]
      person.born = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
      people.append(person)
    }
    let ada = Person("Ada", age: 36)
    ada.home = mill
    ada.tags = ["mathematics", "engines"]
    ada.note = "Wrote the first program."
    ada.picture = MagicAsset(value: pixel, pathExtension: "png")
    ada.friends = [people[0], people[1]]
    let bob = Person("Bob", age: 70)
    bob.home = mill
    try await magic.update(contentsOf: [ada, bob] + people)
  }

  /// Calls the body with the path of a filled database, which is closed.
  @discardableResult
  static func withDatabase<Result>(
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("town.sqlite3").path
      let magic = try await MagicData(path: path)
      try await fill(magic)
      await magic.close()
      return try await body(path)
    }
  }
}

/// The row ID in the first link of a page to an object of a table with a name.
func rowID(of name: String, table: String, in text: String) -> String? {
  guard let end = text.range(of: ">\(name)<")?.lowerBound,
    let start = text[..<end].range(of: "/type/\(table)/", options: .backwards)?.upperBound
  else { return nil }
  return String(text[start...].prefix { $0.isNumber })
}
