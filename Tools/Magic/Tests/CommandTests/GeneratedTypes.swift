// The file does not contain which property is the primary: it is guessed. Nor does it contain
// default values, which property is the version, or the weights of a search.
import Foundation
import MagicData

struct Book: MagicObject {
  static var indexes: [MagicIndex<Self>] { [MagicIndex(\.$series, \.$volume, isUnique: true)] }

  @PrimaryMagicValue var isbn: String
  @MagicValue(.named("series' name")) var series: String
  @MagicValue var volume: Int
  @OptionMagicValue var year: Int?

  init() {}
}

struct City: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var name: String
  @ReverseMagicValue(\Home.$city) var homes: AsyncReverseMagicSet<Home>

  init() {}
}

struct Cupboard: MagicObject {
  static var tableName: String { "Cup.board's \"shelf\"" }

  @MagicValue var label: String
  @MagicValue var spots: [Spot: Stamp] = [:]
  @MagicValue(.named("what is in it")) var content: [Stamp] = []

  init() {}
}

struct Draft: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var text: String

  init() {}
}

struct Home: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var city: City
  @MagicValue(.named("the street"), .onDelete(.cascade)) var street: Street
  @OptionMagicValue var owner: Person?
  @OptionMagicValue(.onDelete(.cascade)) var parent: Home?
  @OptionMagicValue(.onDelete(.deny)) var keeper: Person?
  @MagicValue(.named("by floor"), .onDelete(.cascade)) var floors: [Int: Room] = [:]
  @MagicValue(.onDelete(.deny)) var landlords: MagicalSet<Person> = []
  @MagicValue var neighbours: MagicalSet<Home> = []
  @MagicValue var phones: [String: Person] = [:]
  @MagicValue var residents: [Person] = []
  @MagicValue(.onDelete(.cascade)) var rooms: [Room] = []

  init() {}
}

struct Knot: MagicObject {
  @PrimaryMagicValue var number: Int
  @OptionMagicValue var next: Knot?

  init() {}
}

struct Ledger: MagicObject {
  @PrimaryMagicValue var code: String
  @MagicValue(.indexed) var amount: Int
  @MagicValue var town: String
  @OptionMagicValue var remark: String?
  @MagicValue var isOpen: Bool
  @MagicValue var rate: Double
  @MagicValue var currency: String

  init() {}
}

struct Library: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var keeper: AsyncMagical<Person>
  @OptionMagicValue(.onDelete(.cascade)) var deputy: AsyncMagical<Person>?
  @MagicValue var text: AsyncMagical<MagicAsset<String>>
  @OptionMagicValue var cover: AsyncMagical<MagicAsset<Data>>?
  @MagicValue(.named("by year")) var years: AsyncMagical<[Int: Photo]> = .init(value: [:])
  @MagicValue var photos: AsyncMagical<[Photo]> = .init(value: [])
  @MagicValue(.onDelete(.deny)) var readers: AsyncMagical<MagicalSet<Person>> = .init(value: [])
  @MagicValue var titles: AsyncMagical<[String: Photo]> = .init(value: [:])

  init() {}
}

struct Measure: MagicObject {
  static var tableName: String { "Measures, \"big\" & small" }

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
  @MagicValue var scores: [String: Int]

  init() {}
}

struct Parcel: MagicObject {
  static var migrations: Migrations { Migrations { MigrationStep(3) { [] } } }

  @PrimaryMagicValue var number: Int
  @MagicValue(.indexed) var grams: Int
  @OptionMagicValue var sender: String?
  @MagicValue var content: String
  @OptionMagicValue var slip: MagicAsset<String>?
  @MagicValue var rates: [Double]
  @MagicValue var stamps: MagicalSet<Stamp> = []

  init() {}
}

struct Person: MagicObject {
  static var indexes: [MagicIndex<Self>] { [MagicIndex(\.$name, \.$age)] }

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
  @MagicValue var tags: Set<String>
  @MagicValue var lines: [String]

  init() {}
}

struct Photo: MagicObject {
  static var tableName: String { "Photo 'album'" }

  @PrimaryMagicValue var number: Int
  @MagicValue(.named("the image")) var image: MagicAsset<Data>
  @OptionMagicValue var caption: MagicAsset<String>?
  @OptionMagicValue var letter: MagicAsset<Letter>?

  init() {}
}

struct Room: MagicObject {
  static var tableName: String { "Room \"with\" a view" }

  @MagicValue var label: String

  init() {}
}

struct Score: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue(.indexed) var total: Int
  @OptionMagicValue var remark: String?

  init() {}
}

struct Stamp: MagicObject {
  @MagicValue(.indexed) var value: Int
  @MagicValue var motif: String

  init() {}
}

struct Street: MagicObject {
  @PrimaryMagicValue var name: String

  init() {}
}

struct Ticket: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var title: String

  init() {}
}

struct Twin: MagicObject {
  @MagicValue var name: String
  @MagicValue(.onDelete(.cascade)) var other: Twin

  init() {}
}

enum Mood: String, Magical, CaseIterable {
  case merry = "merry"
  case case2 = "sad as can be"
  case case3 = ""
}

enum Rank: Int, Magical, CaseIterable {
  case case1 = -1
  case case2 = 1
}

// Types that the file names and does not describe: Celsius, Job, Letter, Spot
