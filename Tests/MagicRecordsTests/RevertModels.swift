import Foundation
import MagicData

/// A type with each kind of property.
struct Desk: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var name: String
  @MagicValue var width: Double = 1
  @MagicValue var tags: [String] = []
  @MagicValue var job: Job = Job(title: "a", since: Date(timeIntervalSince1970: 0))
  @OptionMagicValue var note: String?
  @OptionMagicValue var owner: Player?
  @MagicValue var people: [Player] = []
  @MagicValue var group: MagicalSet<Player> = []
  @MagicValue var byShirt: [Int: Player] = [:]
  @OptionMagicValue var lazyOwner: AsyncMagical<Player>?
  @MagicValue var lazyPeople: AsyncMagical<[Player]> = .init(value: [])

  init() {}
  init(_ name: String) { self.name = name }

  /// A desk with a value, a list and each kind of relationship but a set.
  static func filled() -> Desk {
    let desk = Desk("a")
    desk.tags = ["x"]
    desk.owner = Player("Ann")
    desk.people = [Player("Bob"), Player("Cid")]
    desk.byShirt = [1: Player("Eve")]
    desk.lazyOwner = .init(value: Player("Lea"))
    desk.lazyPeople.set([Player("Max")])
    return desk
  }

  /// The values that tests compare.
  var summary: [String] {
    [
      name, "\(width)", "\(tags)", job.title, note ?? "-", owner?.name ?? "-",
      "\(people.map(\.name))", "\(group.map(\.name).sorted())",
      "\(byShirt.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value.name)" })",
    ]
  }

  /// Changes each property.
  func changeAll(to text: String) {
    name = text
    width += 1
    tags.append(text)
    job.title = text
    note = text
    owner = Player(text)
    people.append(Player(text))
    group.insert(Player(text))
    byShirt[9] = Player(text)
  }
}

/// A list that refers to its own type.
struct Branch: MagicObject {
  @MagicValue var name: String
  @OptionMagicValue var parent: Branch?
  @MagicValue var children: [Branch] = []

  init() {}
  init(_ name: String, _ children: [Branch] = []) {
    self.name = name
    self.children = children
  }
}

/// An object with values of at most one word.
struct Dial: MagicObject {
  enum Mode: Int, Magical { case off, low, high }

  @MagicValue var turns: Int
  @OptionMagicValue var angle: Double?
  @MagicValue var isOn: Bool
  @OptionMagicValue var mode: Mode?
  @OptionMagicValue var marks: Int8?

  init() {}

  init(turns: Int, angle: Double?, isOn: Bool, mode: Mode?, marks: Int8?) {
    set(turns, angle, isOn, mode, marks)
  }

  func set(_ turns: Int, _ angle: Double?, _ isOn: Bool, _ mode: Mode?, _ marks: Int8?) {
    (self.turns, self.angle, self.isOn, self.mode, self.marks) = (turns, angle, isOn, mode, marks)
  }

  var summary: String { "\(turns) \(angle as Any) \(isOn) \(mode as Any) \(marks as Any)" }
}
