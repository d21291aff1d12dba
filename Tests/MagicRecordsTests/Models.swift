import Foundation
import MagicData

struct Team: MagicObject, Hashable, Identifiable {
  @PrimaryMagicValue var key: String
  @MagicValue var name: String
  @OptionMagicValue var captain: Player?

  init() {}
  init(_ name: String) {
    key = name.lowercased()
    self.name = name
  }
}

struct Player: MagicObject, Hashable, Identifiable {
  @MagicValue var name: String
  @OptionMagicValue var team: Team?
  @ReverseMagicValue(\League.$stars) var leagues: AsyncReverseMagicSet<League>

  init() {}
  init(_ name: String) { self.name = name }
}

struct Numbered: MagicObject, Identifiable, Equatable {
  @PrimaryMagicValue var id: Int
  @MagicValue var text: String = ""
  init() {}
}

struct Marked: MagicObject, Identifiable {
  @PrimaryMagicValue var mark: UUID
  @MagicValue var text: String = ""
  init() {}
}

final class Page: MagicObject, Hashable, Identifiable, @unchecked Sendable {
  @MagicValue var text: String = ""
  init() {}
}

struct League: MagicObject {
  @PrimaryMagicValue(.rowID) var number: Int
  @MagicValue var teams: [Team] = []
  @MagicValue var stars: MagicalSet<Player> = []
  @MagicValue var byShirt: [Int: Player] = [:]
  @MagicValue var lazyTeam: AsyncMagical<[Team]> = .init(value: [])
  init() {}
}

enum Rank: Int, Magical, CaseIterable { case low, high }

struct Celsius: Magical {
  var degrees: Double
  var storedValue: Double { degrees }
  init(_ degrees: Double) { self.degrees = degrees }
  init(storedValue: Double) { degrees = storedValue }
}

struct Job: MagicalCodable, Equatable {
  var title: String
  var since: Date
}

struct Everything: MagicObject {
  @PrimaryMagicValue var id: UUID
  @MagicValue var text: String
  @MagicValue var count: Int = 3
  @MagicValue var isOn: Bool = true
  @MagicValue var date: Date = Date(timeIntervalSince1970: 86_400)
  @MagicValue var data: Data = Data([1, 2, 3])
  @MagicValue var url: URL = URL(fileURLWithPath: "/a")
  @MagicValue var decimal: Decimal = 1.25
  @MagicValue var rank: Rank = .high
  @MagicValue var heat: Celsius = Celsius(36.5)
  @MagicValue var job: Job = Job(title: "a", since: Date(timeIntervalSince1970: 0))
  @MagicValue var list: [String] = ["x", "y"]
  @OptionMagicValue var petName: String?
  @OptionMagicValue var maybe: Int? = 4
  @OptionMagicValue var asset: MagicAsset<String>?
  var plain = 1

  init() {}
}
