import EngineConformance
import MagicRelations
import MagicStore
import MagicTestSupport
import Testing

/// The cost of searches and changes, compared with a margin for a busy machine.
@Suite(.everyEngine, .serialized) struct SetCostTests {
  @Test func insertingSearchingAndRemovingAreLinear() {
    func work(_ count: Int) -> Duration {
      let guests = (0..<count).map { Guest("\($0)") }
      var found = 0
      let duration = ContinuousClock().measure {
        var set = MagicalSet<Guest>()
        for guest in guests { set.insert(guest) }
        for guest in guests where set.contains(guest) { found += 1 }
        for guest in guests where set.remove(guest) != nil { found += 1 }
      }
      #expect(found == 2 * count)
      return duration
    }
    _ = work(1_000)
    let count = Effort.choose(10_000, long: 25_000)
    #expect(fastest(2, { work(4 * count) }) < fastest(3, { work(count) }) * 16)
  }

  @Test func aSavedSetIsNotRehashedAfterEverySaveOfOthers() throws {
    let other = try makeStore()
    func work(_ count: Int) throws -> Duration {
      let store = try makeStore()
      try store.update(contentsOf: (0..<count).map { Note("\($0)") })
      let set = MagicalSet(distinct: try store.object(of: Note.self))
      #expect(!set.contains(Note()))
      // A removal of another object rehashes the set: the fastest of many runs has none.
      return try fastest(200) {
        let note = Note()
        try other.update(note)
        return ContinuousClock().measure { #expect(!set.contains(note)) }
      }
    }
    #expect(try work(50_000) < work(500) * 20)
  }

  @Test func savingElementsOneByOneAndSearchingThemIsLinear() throws {
    func work(_ count: Int) throws -> Duration {
      let store = try makeStore()
      let notes = (0..<count).map { Note("\($0)") }
      var set = MagicalSet(notes)
      return try ContinuousClock().measure {
        for note in notes {
          try store.update(note)
          #expect(set.contains(note))
          set.insert(note)
        }
      }
    }
    let count = Effort.choose(1_000, long: 2_000)
    #expect(try fastest(2, { try work(4 * count) }) < fastest(3, { try work(count) }) * 16)
  }

  private func fastest(_ count: Int, _ work: () throws -> Duration) rethrows -> Duration {
    var best = Duration.seconds(1_000_000)
    for _ in 0..<count { best = try min(best, work()) }
    return best
  }
}
