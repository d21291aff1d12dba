import EngineConformance
import MagicRelations
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Random edits of collections, saved every few steps, against plain Swift collections.
@Suite(.everyEngine) struct EditSequenceTests {
  private static let steps = 150
  private static let pool = 30

  private struct Course {
    let counted: CountedStore
    var random: SeededRandom
    var branch: Branch
    let leaves: [Leaf]

    init(seed: UInt64) throws {
      counted = try CountedStore()
      random = SeededRandom(seed)
      branch = Branch("a")
      leaves = (0..<EditSequenceTests.pool).map(Leaf.init)
      try counted.store.update(branch)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &random) }

    /// Saves, and sometimes continues with the saved instance.
    mutating func save() throws -> Branch {
      try counted.store.update(branch)
      let fetched = try counted.store.object(of: Branch.self, primary: "a")
      if below(3) == 0 { branch = fetched }
      return fetched
    }

    /// A leaf of the pool, a new one, or a fetched one.
    mutating func leaf(_ number: Int) -> Leaf {
      switch below(6) {
      case 0: return Leaf(number)
      case 1:
        return branch.list.first { $0.number == number } ?? leaves[number]
      default: return leaves[number]
      }
    }
  }

  @Test(arguments: 1...10) func lists(seed: UInt64) throws {
    var course = try Course(seed: seed)
    var model: [Int] = []
    for step in 1...Self.steps {
      let number = course.below(Self.pool)
      let leaf = course.leaf(number)
      let (place, other) = (course.below(model.count), course.below(model.count))
      let kind = model.isEmpty ? 0 : course.below(14)
      switch kind {
      case 0, 1, 2:
        model.append(number)
        course.branch.list.append(leaf)
      case 3, 4, 5, 6:
        model.insert(number, at: place)
        course.branch.list.insert(leaf, at: place)
      case 7, 8:
        model.remove(at: place)
        course.branch.list.remove(at: place)
      case 9:
        model.swapAt(place, other)
        course.branch.list.swapAt(place, other)
      case 10:
        let moved = model.remove(at: place)
        model.insert(moved, at: min(other, model.count))
        let member = course.branch.list.remove(at: place)
        course.branch.list.insert(member, at: min(other, course.branch.list.count))
      case 11:
        model.reverse()
        course.branch.list.reverse()
      case 12:
        let range = min(place, other)..<max(place, other)
        model.removeSubrange(range)
        course.branch.list.removeSubrange(range)
      default:
        let count = course.below(5)
        model.insert(contentsOf: Array(repeating: number, count: count), at: place)
        course.branch.list.insert(contentsOf: Array(repeating: leaf, count: count), at: place)
      }
      if course.below(3) == 0 || step == Self.steps {
        let fetched = try course.save()
        try #require(fetched.list.map(\.number) == model, "step \(step)")
        try #require(course.branch.list.map(\.number) == model)
      }
    }
  }

  @Test(arguments: 1...10) func sets(seed: UInt64) throws {
    var course = try Course(seed: seed)
    // By the row ID, which identifies the members.
    try course.counted.store.update(contentsOf: course.leaves)
    var model: Set<Int> = []
    for step in 1...Self.steps {
      let number = course.below(Self.pool)
      let leaf = course.leaves[number]
      switch course.below(10) {
      case 0...4:
        model.insert(number)
        course.branch.set.insert(leaf)
      case 5...7:
        model.remove(number)
        course.branch.set.remove(leaf)
      case 8:
        model = model.filter { $0 % 3 != number % 3 }
        course.branch.set.removeAll { $0.number % 3 == number % 3 }
      default:
        model = Set((0..<number).map { ($0 * 7) % Self.pool })
        course.branch.set = MagicalSet(model.map { course.leaves[$0] })
      }
      if course.below(3) == 0 || step == Self.steps {
        let fetched = try course.save()
        try #require(fetched.set.map(\.number).sorted() == model.sorted(), "step \(step)")
      }
    }
  }

  @Test(arguments: 1...10) func dictionaries(seed: UInt64) throws {
    var course = try Course(seed: seed)
    var model: [String: Int] = [:]
    for step in 1...Self.steps {
      let number = course.below(Self.pool)
      let leaf = course.leaf(number)
      let key = "key \(course.below(12))"
      switch course.below(10) {
      case 0...5:
        model[key] = number
        course.branch.keyed[key] = leaf
      case 6, 7:
        model[key] = nil
        course.branch.keyed[key] = nil
      case 8:
        let other = "key \(course.below(12))"
        (model[key], model[other]) = (model[other], model[key])
        let (one, two) = (course.branch.keyed[key], course.branch.keyed[other])
        course.branch.keyed[key] = two
        course.branch.keyed[other] = one
      default:
        model = model.filter { $0.value % 2 == 0 }
        course.branch.keyed = course.branch.keyed.filter { $0.value.number % 2 == 0 }
      }
      if course.below(3) == 0 || step == Self.steps {
        let fetched = try course.save()
        try #require(fetched.keyed.mapValues(\.number) == model, "step \(step)")
      }
    }
  }

  @Test(arguments: 1...10) func graphsOfOneType(seed: UInt64) throws {
    let counted = try CountedStore()
    var random = SeededRandom(seed)
    var nodes = (0..<12).map(Node.init)
    var next: [Int: Int] = [:]
    var lists: [Int: [Int]] = [:]
    try counted.store.update(contentsOf: nodes)
    for step in 1...Self.steps {
      let (one, two) = (
        Int.random(in: 0..<12, using: &random), Int.random(in: 0..<12, using: &random)
      )
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        next[one] = two
        nodes[one].next = nodes[two]
      case 2:
        next[one] = nil
        nodes[one].next = nil
      case 3, 4:
        lists[one, default: []].append(two)
        nodes[one].others.append(nodes[two])
      default:
        guard lists[one]?.isEmpty == false else { continue }
        lists[one]?.removeFirst()
        nodes[one].others.removeFirst()
      }
      guard Int.random(in: 0..<3, using: &random) == 0 || step == Self.steps else { continue }
      try counted.store.update(contentsOf: nodes)
      let fetched = try counted.store.object(of: Node.self)
      try #require(fetched.map(\.number) == Array(0..<12))
      for (number, node) in fetched.enumerated() {
        try #require(node.next?.number == next[number], "step \(step)")
        try #require(node.others.map(\.number) == lists[number] ?? [], "step \(step)")
      }
      if Int.random(in: 0..<3, using: &random) == 0 { nodes = fetched }
    }
  }
}

private struct Node: MagicObject {
  @MagicValue var number: Int = 0
  @OptionMagicValue var next: Node?
  @MagicValue var others: [Node] = []

  init() {}
  init(_ number: Int) { self.number = number }
}
