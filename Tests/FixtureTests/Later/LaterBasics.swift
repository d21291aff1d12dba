import Foundation
import MagicStore

/// The types of the fixtures as a future version could declare them. Each table has a change.
enum Later {}

extension Later {
  struct Person: MagicObject {
    @PrimaryMagicValue var id: String
    // Was required, with an index.
    @OptionMagicValue var name: String?
    // Was optional.
    @MagicValue var age: Int = -7
    @MagicValue(.wasNamed("height")) var size: Double
    // Had no index.
    @MagicValue(.indexed) var born: Date
    @MagicValue(.unique) var token: UUID
    @MagicValue var face: Data
    @MagicValue var mood: Mood
    @OptionMagicValue var job: Job?
    @MagicValue var tags: Set<String> = []
    // Was an array of the lines.
    @MagicValue var lines: Int
    // Added.
    @MagicValue var motto: String = "it's \"new\" 📌"

    static var migrations: Migrations {
      Migrations {
        MigrationStep {
          [
            .deleteValue(name: "balance"),
            .renameValue(name: "picture of a \"face\"", to: "face"),
          ]
        }
        MigrationStep(5) {
          [.transformValue(name: "lines") { (lines: [String]) in lines.count }]
        }
      }
    }
  }

  struct Measure: MagicObject {
    static var tableName: String { #"Measures, "big" & small"# }

    @PrimaryMagicValue var id: UUID
    // Was an integer.
    @MagicValue var small: Double
    // Was an integer.
    @MagicValue var natural: String
    // Had an index.
    @MagicValue var huge: UInt64
    @OptionMagicValue var isTrue: Bool?
    @MagicValue var isSure: Bool = true
    @MagicValue var ratio: Float
    @MagicValue var link: URL
    @MagicValue var bytes: [UInt8]
    @OptionMagicValue var data: Data?
    // Was a text.
    @OptionMagicValue var note: Data?
    @MagicValue(.indexed) var rank: Rank
    // Was a real number.
    @OptionMagicValue var warmth: String?
    // Was a dictionary.
    @OptionMagicValue var best: Int?

    static var migrations: Migrations {
      Migrations {
        MigrationStep {
          [.renameValue(name: "the bytes", to: "bytes"), .deleteValue(name: "real")]
        }
        MigrationStep {
          [
            .transformRows { old, new in
              let warmth = try old.value("warmth", as: Celsius.self)
              try new.set("warmth", to: warmth.map { Exact.real($0.degrees) })
              let scores = try old.value("scores", as: [String: Int].self)
              try new.set("best", to: scores?.values.max())
            }, .deleteValue(name: "scores"),
          ]
        }
      }
    }
  }

  /// A renamed type.
  struct Voucher: MagicObject {
    @PrimaryMagicValue var number: Int
    @OptionMagicValue(.wasNamed("title")) var caption: String?
    @MagicValue(.indexed) var isUsed: Bool = false

    static var wasNamed: [String] { ["Ticket"] }
  }

  struct Ticket: MagicObject {
    @PrimaryMagicValue var number: Int
    @OptionMagicValue var title: String?

    init() {}
  }

  /// A type that had no primary before.
  struct Stamp: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var value: Double
    @OptionMagicValue(.wasNamed("motif")) var picture: String?

    init() {}
    init(value: Double) { self.value = value }
  }

  /// A type without rows, so that no change needs a declaration.
  struct Draft: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var pages: Int

    init() {}
    init(pages: Int) { self.pages = pages }
  }

  /// A struct that was a class.
  struct Book: MagicObject {
    // Added.
    @PrimaryMagicValue var key: UUID
    // Was the primary.
    @MagicValue(.unique) var isbn: String
    @OptionMagicValue(.wasNamed("series' name")) var series: String?
    @MagicValue var volume: Double
    @OptionMagicValue var year: String?

    static var indexes: [MagicIndex<Book>] { [MagicIndex(\.$volume, \.$year)] }

    init() {}
  }

  struct Ledger: MagicObject {
    @PrimaryMagicValue var code: String
    // Had an index.
    @MagicValue var amount: Double
    @MagicValue(.wasNamed("place"), .wasNamed("town"), .indexed) var city: String
    @MagicValue var remark: String = "none"
    @OptionMagicValue var isOpen: Bool?
    // Was a real number.
    @MagicValue var rate: Int
    // Was required.
    @OptionMagicValue var currency: String?

    static var migrations: Migrations {
      Migrations {
        MigrationStep {
          [
            .sql(
              """
              UPDATE Ledger SET rate = 0
              WHERE rate NOT BETWEEN -1e16 AND 1e16 OR rate <> CAST(rate AS INTEGER)
              """)
          ]
        }
        MigrationStep { [.convertValue(name: "rate")] }
        MigrationStep {
          [
            .transformRows { old, new in
              guard try old.value("currency", as: String.self) == "it's \"€\"" else { return }
              try new.set("currency", to: String?.none)
            }
          ]
        }
      }
    }
  }

  struct Score: MagicObject {
    @PrimaryMagicValue var number: Int
    // Was an integer, with the same index.
    @MagicValue(.indexed) var total: String
    @MagicValue var remark: String = "none"

    init() {}
    init(total: String) { self.total = total }
  }
}
