import EngineConformance
import MagicQuery
import MagicRelations
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Random edits of the owned lists of several owners, against plain arrays.
@Suite(.everyEngine, .requires(.queries)) struct OwnedEditTests {
  private struct Part: MagicObject {
    @MagicValue var number: Int = 0

    init() {}
    init(_ number: Int) { self.number = number }
  }

  private struct Crate: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue(.owned) var parts: [Part] = []

    init() {}
    init(_ name: String) { self.name = name }
  }

  @Test(arguments: 1...10) func membersMoveBetweenOwners(seed: UInt64) throws {
    let counted = try CountedStore()
    var random = SeededRandom(seed)
    func below(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &random) }
    var crates = (0..<3).map { Crate("\($0)") }
    try counted.store.update(contentsOf: crates)
    var model: [[Int]] = [[], [], []]
    var next = 0
    for step in 1...150 {
      let owner = below(3)
      let (place, other) = (below(model[owner].count), below(model[owner].count))
      switch model[owner].isEmpty ? 0 : below(8) {
      case 0, 1:
        model[owner].insert(next, at: place)
        crates[owner].parts.insert(Part(next), at: place)
        next += 1
      case 2, 3:
        let from = (owner + 1 + below(2)) % 3
        guard !model[from].isEmpty else { continue }
        let index = below(model[from].count)
        let part = crates[from].parts[index]
        model[owner].insert(model[from].remove(at: index), at: place)
        crates[owner].parts.insert(part, at: place)
      case 4:
        model[owner].swapAt(place, other)
        crates[owner].parts.swapAt(place, other)
      case 5:
        model[owner].reverse()
        crates[owner].parts.reverse()
      case 6:
        let part = crates[owner].parts.remove(at: place)
        model[owner].remove(at: place)
        if below(2) == 0 {
          try counted.store.update(crates[owner])
          try counted.store.remove(part)
        }
      default:
        // The owner is replaced by a new object with its primary value.
        let crate = Crate("\(owner)")
        crate.parts = crates[owner].parts.reversed()
        model[owner].reverse()
        crates[owner] = crate
      }
      try counted.store.update(crates[owner])
      let stored = try counted.store.query(Crate.self).order(by: \.$name).all()
      try #require(stored.map { $0.parts.map(\.number) } == model, "step \(step)")
      // The lists in memory of the owners that lost a member are outdated.
      crates = stored
    }
    #expect(try counted.store.object(of: Part.self).count <= next)
    try counted.scratch.expectWhole()
  }
}
