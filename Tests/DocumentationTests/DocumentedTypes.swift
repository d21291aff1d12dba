import Foundation
import MagicData

struct Person: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue var age: Int = 0
  @OptionMagicValue var petName: String?

  init() {}

  init(name: String) {
    self.name = name
  }
}

struct Library: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var keeper: AsyncMagical<Person>
  @MagicValue var collected: AsyncMagical<[Song]> = .init(value: [])
  @MagicValue var featured: AsyncMagical<[String: Song]> = .init(value: [:])

  init() {}
}

struct Visitor: MagicObject {
  @MagicValue var name: String
  @MagicValue var visits: Int = 0

  init() {}

  init(name: String) {
    self.name = name  // visits is 0
  }
}

struct Job: MagicalCodable, Equatable {
  let title: String
  let salary: Int
}

enum Rank: Int, Magical {
  case novice, master
}

struct Celsius: Magical {
  var degrees: Double

  var storedValue: Double { degrees }
  init(storedValue: Double) { degrees = storedValue }
}

struct Device: MagicObject {
  @PrimaryMagicValue var id: MagicUUID
  @OptionMagicValue(.indexed) var owner: MagicUUID?

  init() {}
}

struct Beacon: MagicObject {
  @PrimaryMagicValue var id: MagicUUID  // a random UUID, stored as 16 bytes

  init() {}
}

struct Invoice: MagicObject {
  @MagicValue(.indexed) var total: MagicMoney<MagicCents>

  init() {}
}

enum Genre: String, Magical, Codable { case jazz, folk }

struct RadioStation: MagicObject {
  @MagicValue var genres: Set<Genre> = []

  init() {}
}

enum Mills: MagicScale {
  static var fractionDigits: Int { 3 }
}

struct Worker: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var rank: Rank = .novice
  @MagicValue var skills: [String] = []
  @OptionMagicValue var job: Job?
  @OptionMagicValue var temperature: Celsius?

  init() {}
}

struct Photo: MagicObject {
  @PrimaryMagicValue var id: UUID
  @MagicValue var image: MagicAsset<Data>
  @OptionMagicValue var caption: MagicAsset<String>?

  init() { image = .init() }
}

struct Film: MagicObject {
  @MagicValue var file: MagicAsset<Data>

  init() { file = .init() }
}

struct Waveform: MagicAssetConvert {
  var samples: [UInt8]

  var assetData: Data { Data(samples) }
  init(assetData: Data) { samples = [UInt8](assetData) }
}

struct Book: MagicObject {
  @PrimaryMagicValue(.named("isbn")) var id: String
  @MagicValue(.indexed) var title: String
  @MagicValue(.unique, .wasNamed("shelf")) var place: String
  @MagicValue var year: Int = 1970

  static var tableName: String { "books" }

  static var indexes: [MagicIndex<Book>] {
    [MagicIndex(\.$year, \.$title)]
  }

  init() {}
}

struct Contact: MagicObject {
  @PrimaryMagicValue var uuid: UUID  // a random UUID
  @MagicValue var firstName: String
  @MagicValue var lastName: String
  @MagicValue var email: String

  static var indexes: [MagicIndex<Contact>] {
    [MagicIndex(\.$lastName, \.$firstName), MagicIndex(\.$email, isUnique: true)]
  }

  init() {}
}

struct Ticket: MagicObject {
  @PrimaryMagicValue var number: Int  // 0 until the first save, then auto-incremented
  @MagicValue var name: String
  @MagicValue(.indexed) var age: Int = 3

  init() {}
}

struct Voyage: MagicObject {
  @PrimaryMagicValue(.rowID) var id: Int  // the same, and the row ID of the object's row

  init() {}
}

struct Article: MagicObject {
  @PrimaryMagicValue var id: String  // a random UUID's text

  init() {}
}

struct Song: MagicObject {
  @MagicValue var title: String
  @ReverseMagicValue(\Playlist.$songs) var playlists: AsyncReverseMagicSet<Playlist>

  init() {}

  init(title: String) {
    self.title = title
  }
}

struct Playlist: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var owner: Person
  @OptionMagicValue var parent: Playlist?
  @MagicValue var songs: [Song] = []  // ordered, duplicates allowed
  @MagicValue var guests: MagicalSet<Person> = []
  @MagicValue var intros: [String: Song] = [:]

  init() {}
}

struct Line: MagicObject {
  @MagicValue var article: String = ""
  @ReverseMagicValue(\Order.$lines) var order: AsyncReverseMagicSet<Order>

  init() {}

  init(article: String) {
    self.article = article
  }
}

struct Order: MagicObject {
  @MagicValue var customer: String = ""
  @MagicValue(.owned, .onDelete(.cascade)) var lines: [Line] = []

  init() {}
}

struct Exercise: MagicObject {
  @MagicValue var name: String
  @ReverseMagicValue(\Workout.$exercises) var workouts: AsyncReverseMagicSet<Workout>

  init() {}

  init(name: String) {
    self.name = name
  }
}

struct Workout: MagicObject {
  @MagicValue var title: String
  @MagicThrough(\WorkoutEntry.$workout, \WorkoutEntry.$exercise, orderedBy: \.$position)
  var exercises: [Exercise]

  init() {}
}

struct WorkoutEntry: MagicObject {
  @MagicValue(.onDelete(.cascade)) var workout: Workout
  @MagicValue(.onDelete(.cascade)) var exercise: Exercise
  @MagicValue var position: Int = 0
  @OptionMagicValue var note: String?

  init() {}
}

struct Folder: MagicObject {
  @MagicValue var name: String = ""
  @OptionMagicValue(.onDelete(.cascade)) var parent: Folder?
  @MagicValue(.onDelete(.deny)) var readers: [Person] = []

  init() {}
}

struct Friend: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var name: String
  @OptionMagicValue(.wasNamed("telephone")) var phone: String?
  @MagicValue var friends: MagicalSet<Friend> = []  // was an array

  static var wasNamed: [String] { ["Addressee"] }

  static var migrations: Migrations {
    Migrations {
      MigrationStep {
        [
          .transformRows { old, new in
            let first: String = try old.value("firstName") ?? ""
            let last: String = try old.value("lastName") ?? ""
            try new.set("name", to: "\(first) \(last)")
          }
        ]
      }
      MigrationStep { [.deleteValue(name: "firstName"), .deleteValue(name: "lastName")] }
    }
  }

  init() {}
}

struct Territory: MagicObject {
  @PrimaryMagicValue var code: String
  @MagicValue var name: String

  static var migrations: Migrations {
    Migrations { MigrationStep { [.adoptTable("territories")] } }
  }

  init() {}
}

struct Employee: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.wasNamed("last_name")) var name: String
  @OptionMagicValue var hired: Date?
  @OptionMagicValue(.wasNamed("reports_to")) var manager: Employee?
  @MagicValue var territories: MagicalSet<Territory> = []

  static var migrations: Migrations {
    Migrations {
      MigrationStep {
        [
          .adoptTable("employees", dates: .iso8601),
          .adoptJoinTable("employee_territories", as: "territories"), .deleteValue(name: "fax"),
        ]
      }
    }
  }

  init() {}
}

struct Ware: MagicObject {
  @MagicValue var name: String
  @MagicValue var price: Int

  static var migrations: Migrations {
    Migrations {
      MigrationStep { [.renameValue(name: "title", to: "name")] }
      MigrationStep { [.transformValue(name: "price") { (price: Double) in Int(price * 100) }] }
    }
  }

  init() {}
}

struct Fellow: MagicObject {
  @MagicValue var name: String

  static var migrations: Migrations {
    Migrations {
      MigrationStep {
        [
          .transformRows { old, new in
            let first = try old.value("firstName", as: String.self) ?? ""
            try new.set("name", to: first)
          }
        ]
      }
      MigrationStep { [.deleteValue(name: "firstName")] }
    }
  }

  init() {}
}

/// The types before the change.
enum Formerly {
  struct Addressee: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var firstName: String
    @MagicValue var lastName: String
    @MagicValue var telephone: String
    @MagicValue var friends: [Addressee] = []

    init() {}
  }

  struct Ware: MagicObject {
    @MagicValue var title: String
    @MagicValue var price: Double

    init() {}
  }

  struct Fellow: MagicObject {
    @MagicValue var firstName: String

    init() {}
  }
}

extension String {
  mutating func append<Parts: AsyncSequence>(from parts: Parts) async throws
  where Parts.Element == String {
    for try await part in parts { append(part) }
  }
}
