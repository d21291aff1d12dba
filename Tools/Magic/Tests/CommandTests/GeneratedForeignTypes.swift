// swift-format-ignore-file
import Foundation
import MagicData

enum Foreign {
// Types that adopt the tables of another program. Their properties are guessed from the values.
// `migrationPlan(for:)` shows what the adoption does; try it on a copy of the file.

struct Character2: MagicObject {
  static var migrations: Migrations { Migrations { MigrationStep { [.adoptTable("character")] } } }

  @PrimaryMagicValue var id: Int
  @OptionMagicValue var bytes: Data?

  init() {}
}

struct Customer: MagicObject {
  static var migrations: Migrations { Migrations { MigrationStep { [.adoptTable()] } } }

  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @OptionMagicValue var fax: String?

  init() {}
}

struct Data2: MagicObject {
  static var migrations: Migrations { Migrations { MigrationStep { [.adoptTable("data", dates: .iso8601)] } } }

  @PrimaryMagicValue var id: Int
  @OptionMagicValue var at: Date?
  @OptionMagicValue var date: Date?
  @OptionMagicValue(.wasNamed("a b")) var a_b2: String?
  @OptionMagicValue(.wasNamed("a-b")) var a_b3: String?
  @OptionMagicValue var a_b: String?
  @OptionMagicValue(.onDelete(.deny)) var tag: Tag?

  init() {}
}

struct Line: MagicObject {
  static var migrations: Migrations { Migrations { MigrationStep { [.adoptTable()] } } }
  static var indexes: [MagicIndex<Self>] { [MagicIndex(\.$purchase, \.$position, isUnique: true)] }

  @MagicValue var purchase: Purchase
  @MagicValue var position: Int
  @OptionMagicValue var text: String?

  init() {}
}

struct Profile: MagicObject {
  static var migrations: Migrations { Migrations { MigrationStep { [.adoptTable()] } } }

  @MagicValue(.unique) var customer: Customer
  @OptionMagicValue var text: String?

  init() {}
}

// Drop these before the adoption, if they use the table: view totals
struct Purchase: MagicObject {
  static var migrations: Migrations {
    Migrations {
      MigrationStep {
        [
          .adoptTable(dates: .iso8601),
          .adoptJoinTable("purchaseTag", as: "purchaseTag"),
        ]
      }
    }
  }

  @PrimaryMagicValue var number: Int
  @MagicValue(.onDelete(.cascade)) var customer: Customer
  @OptionMagicValue(.onDelete(.deny)) var next: Purchase?
  @OptionMagicValue var placed: Date?
  @MagicValue(.wasNamed("total price")) var total_price: Double
  @MagicValue(.indexed) var paid: Bool
  @MagicValue(.unique) var token: UUID
  @MagicValue var purchaseTag: MagicalSet<Tag> = []

  init() {}
}

struct Tag: MagicObject {
  static var migrations: Migrations { Migrations { MigrationStep { [.adoptTable()] } } }

  @PrimaryMagicValue var name: String

  init() {}
}
}
