import MagicData

final class Person: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var name: String
  @MagicValue var age: Int = 0
  @MagicValue var height: Double = 0
  @MagicValue var isMember: Bool = false
  @MagicValue var city: String = ""

  init() {}
  init(_ index: Int) {
    name = "person \(index)"
    age = index % 90
    height = 1.5 + Double(index % 50) / 100
    isMember = !index.isMultiple(of: 2)
    city = "city \(index % 100)"
  }

  /// The sum of all values, or of their lengths.
  var sum: Double {
    Double(name.utf8.count) + Double(age) + height + (isMember ? 1 : 0) + Double(city.utf8.count)
  }
}

final class Team: MagicObject, @unchecked Sendable {
  @MagicValue var name: String = ""
  @MagicValue var members: [Player] = []

  init() {}
  init(_ index: Int, members count: Int) {
    name = "team \(index)"
    members = (0..<count).map { Player(index * count + $0) }
  }
}

final class Player: MagicObject, @unchecked Sendable {
  @MagicValue var name: String = ""

  init() {}
  init(_ index: Int) { name = "player \(index)" }
}
