import Foundation
import MagicStore

// Types that every version can store.

enum Mood: String, Magical, CaseIterable {
  case merry
  case sad = "sad as can be"
  case none = ""
}

enum Rank: Int, Magical, CaseIterable {
  case last = -1
  case first = 1
}

struct Job: MagicalCodable, Equatable {
  let title: String
  let salary: Double
  let days: [Int]
}

struct Celsius: Magical {
  let degrees: Double

  init(degrees: Double) { self.degrees = degrees }

  var storedValue: Double { degrees }
  init(storedValue: Double) { degrees = storedValue }
}

/// An object with a text primary and with values of many types.
struct Person: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue(.indexed) var name: String
  @OptionMagicValue var age: Int?
  @MagicValue var height: Double
  @MagicValue var born: Date
  @MagicValue(.unique) var token: UUID
  @MagicValue var balance: Decimal
  @MagicValue(.named("picture of a \"face\"")) var picture: Data
  @MagicValue var mood: Mood
  @OptionMagicValue var job: Job?
  @MagicValue var tags: Set<String> = []
  @MagicValue var lines: [String] = []

  static var indexes: [MagicIndex<Person>] { [MagicIndex(\.$name, \.$age)] }

  init() {}

  init(number: Int) {
    id = Person.id(number)
    name = Sample.text(number)
    age = Sample.isNil(number) ? nil : Sample.integer(number)
    height = Sample.real(number)
    born = Sample.date(number)
    token = Sample.uuid(number)
    balance = Sample.decimal(number)
    picture = Sample.data(number)
    mood = Mood.allCases[number % 3]
    job =
      Sample.isNil(number + 1)
      ? nil
      : Job(title: Sample.text(number + 1), salary: Double(number) / 8, days: [number, -number])
    tags = Set(Sample.texts(number))
    lines = Sample.texts(number + 2)
  }

  static func id(_ number: Int) -> String { "person \(number) " + Sample.text(number + 3) }
}

/// An object whose table name needs quotes, with values of the remaining types.
struct Measure: MagicObject {
  static var tableName: String { #"Measures, "big" & small"# }

  @PrimaryMagicValue var id: UUID
  @MagicValue var small: Int8
  @MagicValue var natural: UInt32
  @MagicValue(.indexed) var huge: UInt64
  @MagicValue var isTrue: Bool
  @OptionMagicValue var isSure: Bool?
  @MagicValue var ratio: Float
  @OptionMagicValue var real: Double?
  @MagicValue var link: URL
  @MagicValue(.named("the bytes")) var bytes: [UInt8]
  @OptionMagicValue var data: Data?
  @OptionMagicValue var note: String?
  @MagicValue var rank: Rank
  @OptionMagicValue var warmth: Celsius?
  @MagicValue var scores: [String: Int] = [:]

  init() {}

  init(number: Int) {
    id = Sample.uuid(number, 6)
    small = Int8(truncatingIfNeeded: Sample.bits(number, 8))
    natural = UInt32(truncatingIfNeeded: Sample.bits(number, 9))
    huge = number == 1 ? UInt64(Int64.max) : Sample.bits(number, 10) >> 1
    isTrue = number.isMultiple(of: 2)
    isSure = Sample.isNil(number) ? nil : number.isMultiple(of: 2)
    ratio = number % 4 == 0 ? -0.0 : number % 4 == 1 ? .infinity : Float(number) / 3
    real = Sample.isNil(number) ? nil : Sample.real(number)
    link = Measure.link(number)
    bytes = Sample.bytes(number)
    data = Sample.isNil(number) ? nil : Sample.data(number % 5)
    note = Sample.isNil(number) ? nil : Sample.text(number)
    rank = Rank.allCases[number % 2]
    warmth = Sample.isNil(number) ? nil : Celsius(degrees: Sample.real(number + 1))
    scores = Sample.isNil(number) ? [:] : ["a \"b\"": number, "": -number]
  }

  private static func link(_ number: Int) -> URL {
    URL(string: "https://example.org/a%20b/\(number)?q=%22#part") ?? URL(fileURLWithPath: "/")
  }
}

/// An object with an auto-increment primary.
struct Ticket: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var title: String

  init() {}
  init(title: String) { self.title = title }
}

/// An object without a primary; only the row ID identifies its rows.
struct Stamp: MagicObject {
  @MagicValue(.indexed) var value: Int
  @MagicValue var motif: String

  init() {}

  init(number: Int) {
    value = number
    motif = Sample.text(number)
  }
}

/// A type whose rows were all removed.
struct Draft: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var text: String

  init() {}
  init(text: String) { self.text = text }
}

/// A class, with a unique index over two columns.
final class Book: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var isbn: String
  @MagicValue(.named("series' name")) var series: String
  @MagicValue var volume: Int
  @OptionMagicValue var year: Int?

  static var indexes: [MagicIndex<Book>] { [MagicIndex(\.$series, \.$volume, isUnique: true)] }

  init() {}

  init(number: Int) {
    isbn = "isbn-\(number)"
    series = Sample.text(number)
    volume = number / 4
    year = Sample.isNil(number) ? nil : 1900 + number
  }
}

/// Types before the change of their table.
enum Earlier {
  struct Ledger: MagicObject {
    @PrimaryMagicValue var code: String
    @MagicValue var amount: Int
    @MagicValue(.indexed) var place: String

    init() {}

    init(number: Int) {
      code = "code \(number)"
      amount = number * 100
      place = Sample.text(number)
    }
  }
}

/// A type with a renamed column, added columns, a removed index and an added index.
struct Ledger: MagicObject {
  @PrimaryMagicValue var code: String
  @MagicValue(.indexed) var amount: Int
  @MagicValue(.wasNamed("place")) var town: String
  @OptionMagicValue var remark: String?
  @MagicValue var isOpen: Bool = true
  @MagicValue var rate: Double = 2.5
  @MagicValue var currency: String = "it's \"€\""

  init() {}

  /// Creates the expected row: rows up to 20 were migrated, and later ones were written by this
  /// version.
  init(number: Int) {
    code = "code \(number)"
    amount = number * 100
    town = Sample.text(number)
    guard number > 20 else { return }
    remark = Sample.isNil(number) ? nil : Sample.text(number)
    isOpen = false
    rate = Sample.real(number)
    currency = Sample.text(number + 1)
  }
}
