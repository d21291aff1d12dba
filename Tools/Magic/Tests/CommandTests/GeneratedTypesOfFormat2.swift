// swift-format-ignore-file
import Foundation
import MagicData

enum FormatTwo {
struct Book: MagicObject {
  static var indexes: [MagicIndex<Self>] { [MagicIndex(\.$series__name, \.$volume, isUnique: true)] }

  @PrimaryMagicValue var isbn: String  // guessed
  @MagicValue(.named("series' name")) var series__name: String  // guessed
  @MagicValue var volume: Int  // guessed
  @OptionMagicValue var year: Int?  // guessed

  init() {}
}

struct City: MagicObject {
  @PrimaryMagicValue var number: Int  // guessed
  @MagicValue var name: String  // guessed

  init() {}
}

struct Cupboard: MagicObject {
  static var tableName: String { "Cup.board's \"shelf\"" }

  @MagicValue var label: String  // guessed
  @MagicValue var spots: [Data: Stamp] = [:]
  @MagicValue(.named("what is in it")) var what_is_in_it: [Stamp] = []

  init() {}
}

struct Draft: MagicObject {
  @PrimaryMagicValue var number: Int  // guessed
  @MagicValue var text: String  // guessed

  init() {}
}

struct Home: MagicObject {
  @PrimaryMagicValue var name: String  // guessed
  @MagicValue var city: City
  @MagicValue(.named("the street"), .onDelete(.cascade)) var the_street: Street
  @OptionMagicValue var owner: Person?
  @OptionMagicValue(.onDelete(.cascade)) var parent: Home?
  @OptionMagicValue(.onDelete(.deny)) var keeper: Person?
  @MagicValue(.named("by floor"), .onDelete(.cascade)) var by_floor: [Int: Room] = [:]
  @MagicValue(.onDelete(.deny)) var landlords: MagicalSet<Person> = []
  @MagicValue var neighbours: MagicalSet<Home> = []
  @MagicValue var phones: [String: Person] = [:]
  @MagicValue var residents: [Person] = []
  @MagicValue(.onDelete(.cascade)) var rooms: [Room] = []

  init() {}
}

struct Knot: MagicObject {
  @PrimaryMagicValue var number: Int  // guessed
  @OptionMagicValue var next: Knot?

  init() {}
}

struct Ledger: MagicObject {
  @PrimaryMagicValue var code: String  // guessed
  @MagicValue(.indexed) var amount: Int  // guessed
  @MagicValue var town: String  // guessed
  @OptionMagicValue var remark: String?  // guessed
  @MagicValue var isOpen: Bool  // guessed
  @MagicValue var rate: Double  // guessed
  @MagicValue var currency: String  // guessed

  init() {}
}

struct Library: MagicObject {
  @PrimaryMagicValue var name: String  // guessed
  @MagicValue var keeper: Person
  @OptionMagicValue(.onDelete(.cascade)) var deputy: Person?
  @MagicValue var text: MagicAsset<Data>
  @OptionMagicValue var cover: MagicAsset<Data>?
  @MagicValue(.named("by year")) var by_year: [Int: Photo] = [:]
  @MagicValue var photos: [Photo] = []
  @MagicValue(.onDelete(.deny)) var readers: MagicalSet<Person> = []
  @MagicValue var titles: [String: Photo] = [:]

  init() {}
}

struct Measure: MagicObject {
  static var tableName: String { "Measures, \"big\" & small" }

  @PrimaryMagicValue var id: UUID  // guessed
  @MagicValue var small: Int  // guessed
  @MagicValue var natural: Int  // guessed
  @MagicValue(.indexed) var huge: Int  // guessed
  @MagicValue var isTrue: Bool  // guessed
  @OptionMagicValue var isSure: Bool?  // guessed
  @MagicValue var ratio: Double  // guessed
  @OptionMagicValue var real: Double?  // guessed
  @MagicValue var link: URL  // guessed
  @MagicValue(.named("the bytes")) var the_bytes: Data  // guessed
  @OptionMagicValue var data: Data?  // guessed
  @OptionMagicValue var note: String?  // guessed
  @MagicValue var rank: Int  // guessed
  @OptionMagicValue var warmth: Double?  // guessed
  @MagicValue var scores: Data  // guessed

  init() {}
}

struct Parcel: MagicObject {
  static var migrations: Migrations { Migrations { MigrationStep(3) { [] } } }

  @PrimaryMagicValue var number: Int  // guessed
  @MagicValue(.indexed) var grams: Int  // guessed
  @OptionMagicValue var sender: String?  // guessed
  @MagicValue var content: String  // guessed
  @OptionMagicValue var slip: MagicAsset<Data>?
  @MagicValue var rates: Data  // guessed
  @MagicValue var stamps: MagicalSet<Stamp> = []

  init() {}
}

struct Person: MagicObject {
  static var indexes: [MagicIndex<Self>] { [MagicIndex(\.$name, \.$age)] }

  @PrimaryMagicValue var id: String  // guessed
  @MagicValue(.indexed) var name: String  // guessed
  @OptionMagicValue var age: Int?  // guessed
  @MagicValue var height: Double  // guessed
  @MagicValue var born: Date  // guessed
  @MagicValue(.unique) var token: UUID  // guessed
  @MagicValue var balance: String  // guessed
  @MagicValue(.named("picture of a \"face\"")) var picture_of_a__face_: Data  // guessed
  @MagicValue var mood: String  // guessed
  @OptionMagicValue var job: Data?  // guessed
  @MagicValue var tags: Data  // guessed
  @MagicValue var lines: Data  // guessed

  init() {}
}

struct Photo: MagicObject {
  static var tableName: String { "Photo 'album'" }

  @PrimaryMagicValue var number: Int  // guessed
  @MagicValue(.named("the image")) var the_image: MagicAsset<Data>
  @OptionMagicValue var caption: MagicAsset<Data>?
  @OptionMagicValue var letter: MagicAsset<Data>?

  init() {}
}

struct Room: MagicObject {
  static var tableName: String { "Room \"with\" a view" }

  @MagicValue var label: String  // guessed

  init() {}
}

struct Score: MagicObject {
  @PrimaryMagicValue var number: Int  // guessed
  @MagicValue(.indexed) var total: Int  // guessed
  @OptionMagicValue var remark: String?  // guessed

  init() {}
}

struct Stamp: MagicObject {
  @MagicValue(.indexed) var value: Int  // guessed
  @MagicValue var motif: String  // guessed

  init() {}
}

struct Street: MagicObject {
  @PrimaryMagicValue var name: String  // guessed

  init() {}
}

struct Ticket: MagicObject {
  @PrimaryMagicValue var number: Int  // guessed
  @MagicValue var title: String  // guessed

  init() {}
}

struct Twin: MagicObject {
  @MagicValue var name: String  // guessed
  @MagicValue(.onDelete(.cascade)) var other: Twin

  init() {}
}
}
