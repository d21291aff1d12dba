import MagicAssets
import MagicRelations

extension Later {
  /// A type whose table has completed steps 1 to 3 before.
  struct Parcel: MagicObject {
    @PrimaryMagicValue var number: Int
    // Was in grams.
    @OptionMagicValue var kilograms: Double?
    @MagicValue var sender: String = "unknown"
    @OptionMagicValue var content: String?
    // Was a set.
    @MagicValue var stamps: [Stamp] = []
    @OptionMagicValue var slip: MagicAsset<String>?
    // Was an array.
    @MagicValue var rate: Double

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
        MigrationStep {
          [
            .renameValue(name: "grams", to: "kilograms"),
            .renameValue(name: "rates", to: "rate"),
          ]
        }
        MigrationStep(10) {
          [
            .transformRows { old, new in
              let grams = try old.value("kilograms", as: Int.self)
              try new.set("kilograms", to: grams.map { Double($0) / 1000 })
              try new.set("rate", to: old.value("rate", as: [Double].self)?.first)
            }
          ]
        }
      }
    }

    init() {}
    init(rate: Double) { self.rate = rate }
  }
}
