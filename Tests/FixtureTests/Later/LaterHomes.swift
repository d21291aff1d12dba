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

  /// A renamed target.
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
    // Had the delete rule cascade.
    @MagicValue(.onDelete(.deny), .wasNamed("the street")) var street: Street
    // Was a to-one relationship.
    @MagicValue(.wasNamed("owner")) var owners: [Person] = []
    // Had the delete rule cascade.
    @OptionMagicValue var parent: Home?
    // Had the delete rule deny.
    @OptionMagicValue(.onDelete(.cascade)) var keeper: Person?
    // Was a list.
    @MagicValue var residents: MagicalSet<Person> = []
    // Had the delete rule cascade.
    @MagicValue(.wasNamed("rooms")) var chambers: [Chamber] = []
    // Was a set.
    @MagicValue var neighbours: [Home] = []
    // Was a set.
    @OptionMagicValue(.wasNamed("landlords")) var landlord: Person?
    // Was a dictionary.
    @MagicValue var phones: [Person] = []
    // Added.
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
    // Was a to-one relationship.
    @MagicValue var next: MagicalSet<Knot> = []

    init() {}
  }

  struct Twin: MagicObject {
    @MagicValue var name: String
    // Was required, with the delete rule cascade.
    @OptionMagicValue var other: Twin?

    init() {}
  }

  /// A renamed class, whose table name needs no quotes.
  final class Shelf: MagicObject, @unchecked Sendable {
    @OptionMagicValue var label: String?
    @MagicValue(.wasNamed("what is in it"), .onDelete(.deny)) var content: [Stamp] = []
    @MagicValue var spots: [Spot: Stamp] = [:]

    static var wasNamed: [String] { ["Cup.board's \"shelf\""] }

    init() {}
  }
}
