import MagicRelations

extension Later {
  struct City: MagicObject {
    @PrimaryMagicValue var number: Int
    @OptionMagicValue var name: String?
    @ReverseMagicValue(\Later.Home.$city) var homes: AsyncReverseMagicSet<Home>

    init() {}
    init(name: String) { self.name = name }
  }

  struct Street: MagicObject {
    @OptionMagicValue var name: String?

    init() {}
  }

  /// A target with another name.
  struct Chamber: MagicObject {
    @MagicValue var label: String
    @OptionMagicValue var use: String?

    static var wasNamed: [String] { [#"Room "with" a view"#] }

    init() {}
    init(label: String) { self.label = label }
  }

  struct Home: MagicObject {
    @PrimaryMagicValue var name: String
    // Was required.
    @OptionMagicValue var city: City?
    // Went with its street.
    @MagicValue(.onDelete(.deny), .wasNamed("the street")) var street: Street
    // Was one.
    @MagicValue(.wasNamed("owner")) var owners: [Person] = []
    // Went with its parent.
    @OptionMagicValue var parent: Home?
    // Kept its keeper from being removed.
    @OptionMagicValue(.onDelete(.cascade)) var keeper: Person?
    // Was a list.
    @MagicValue var residents: MagicalSet<Person> = []
    // Took its rooms along.
    @MagicValue(.wasNamed("rooms")) var chambers: [Chamber] = []
    // Was a set.
    @MagicValue var neighbours: [Home] = []
    // Was a set.
    @OptionMagicValue(.wasNamed("landlords")) var landlord: Person?
    // Was a dictionary.
    @MagicValue var phones: [Person] = []
    // Is new.
    @MagicValue(.onDelete(.cascade)) var guests: [String: Person] = [:]

    static var migrations: Migrations {
      Migrations {
        MigrationStep {
          [
            .convertValue(name: "residents"), .convertValue(name: "landlords"),
            .convertValue(name: "phones"),
          ]
        }
        MigrationStep { [.deleteValue(name: "by floor")] }
      }
    }

    init() {}
  }

  struct Knot: MagicObject {
    @PrimaryMagicValue var number: Int
    // Was one.
    @MagicValue var next: MagicalSet<Knot> = []

    init() {}
  }

  struct Twin: MagicObject {
    @MagicValue var name: String
    // Was required, and took its twin along.
    @OptionMagicValue var other: Twin?

    init() {}
  }

  /// A class with another name and without quotes.
  final class Shelf: MagicObject, @unchecked Sendable {
    @OptionMagicValue var label: String?
    @MagicValue(.wasNamed("what is in it"), .onDelete(.deny)) var content: [Stamp] = []
    @MagicValue var spots: [Spot: Stamp] = [:]

    static var wasNamed: [String] { ["Cup.board's \"shelf\""] }

    init() {}
  }
}
