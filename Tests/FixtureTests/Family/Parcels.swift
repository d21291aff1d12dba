import MagicAssets
import MagicRelations

// A type that migrations have changed, in both versions.

extension Earlier {
  struct Parcel: MagicObject {
    static var tableName: String { "Packet's \"table\"" }

    @PrimaryMagicValue var number: Int
    @MagicValue(.indexed) var weight: Double
    @MagicValue var sender: String
    @OptionMagicValue var content: String?
    @MagicValue var stamps: [Stamp] = []
    @MagicValue var receipt: MagicAsset<String>
    @MagicValue var lost: String

    init() {}

    init(number: Int) {
      weight = Double(number) / 8
      sender = Sample.text(number)
      content = Sample.isNil(number) ? nil : Sample.text(number + 1)
      receipt = .init(value: Parcels.receipt(number), pathExtension: "txt")
      lost = Sample.text(number)
    }
  }
}

/// A type whose table was renamed and rebuilt, with migration steps.
struct Parcel: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue(.indexed) var grams: Int
  @OptionMagicValue var sender: String?
  @MagicValue var content: String = "it's \"nothing\""
  @MagicValue var stamps: MagicalSet<Stamp> = []
  @OptionMagicValue(.wasNamed("receipt")) var slip: MagicAsset<String>?
  @MagicValue var rates: [Double] = [0.5]

  static var wasNamed: [String] { ["Packet's \"table\""] }

  static var migrations: Migrations {
    Migrations {
      MigrationStep {
        [
          .renameValue(name: "weight", to: "grams"), .deleteValue(name: "lost"),
          .convertValue(name: "stamps"),
        ]
      }
      MigrationStep(3) {
        [.transformValue(name: "grams") { (kilograms: Double) in Int(kilograms * 1000) }]
      }
    }
  }

  init() {}

  /// Creates the expected row: rows up to 20 were migrated, and later ones were written by this
  /// version.
  init(number: Int) {
    grams = number * 125
    sender = number > 20 && Sample.isNil(number) ? nil : Sample.text(number)
    if !Sample.isNil(number) || number > 20 { content = Sample.text(number + 1) }
    slip = number > 20 ? nil : .init(value: Parcels.receipt(number), pathExtension: "txt")
    if number > 20 { rates = [Double(number)] }
  }
}

extension Rows {
  static let parcels = 1...24
  static let parcelsOfEarlier = 1...20
  /// The last row of each version of the type, and another one.
  static let parcelsRemoved = [7, 20, 24]
}

/// The values of parcels, computed from their number.
enum Parcels {
  static func receipt(_ parcel: Int) -> String { Sample.text(parcel) + " received \(parcel)" }

  /// The members in order, some of them twice, of stamps that were not removed.
  static func stamps(_ parcel: Int) -> [Int] {
    (0..<parcel % 4).map { (parcel + $0 / 2) % 6 + 1 }
  }
}
