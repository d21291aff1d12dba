import MagicData
import Workloads

/// Structs without initial values, as in the workloads on SQLite.
struct Person: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var age: Int
  @MagicValue var height: Double
  @MagicValue var isMember: Bool
  @MagicValue var city: String

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

struct Team: MagicObject {
  @MagicValue var name: String
  @MagicValue var members: [Player]

  init() {}
  init(_ index: Int, members count: Int) {
    name = "team \(index)"
    members = (0..<count).map { Player(index * count + $0) }
  }
}

struct Player: MagicObject {
  @MagicValue var name: String

  init() {}
  init(_ index: Int) { name = "player \(index)" }
}

/// An object whose texts are searched.
struct Article: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable(weight: 10)) var title: String
  @MagicValue(.searchable) var body: String

  init() {}

  init(_ article: PlainArticle) {
    id = article.number
    title = article.title
    body = article.body
  }
}
