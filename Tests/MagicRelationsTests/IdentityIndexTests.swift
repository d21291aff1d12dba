import EngineConformance
import MagicStore
import MagicTestSupport
import Testing

@testable import MagicRelations

@Suite(.everyEngine) struct IdentityIndexTests {
  @Test func anObjectThatIsSavedBetweenSearchAndInsertionIsFound() throws {
    let store = try makeStore()
    let other = Note()
    try store.update(other)
    let index = IdentityIndex()
    let note = Note()
    let early = try #require(index.keys(of: note, in: [Note]()))
    try store.update(note)
    let otherKeys = try #require(index.keys(of: other, in: [note]))
    #expect(index.position(of: otherKeys, in: [note]) == nil)
    index.append(early)
    #expect(index.position(of: try store.again(note), in: [note]) == 0)
  }

  @Test func aHashHasManyPositionsAndAPositionManyHashes() {
    var random = SeededRandom(3)
    var table = PositionTable()
    var model: Set<[Int]> = []
    for _ in 0..<20_000 {
      // Few hashes, at both ends of the table, so that searches collide and wrap around.
      let hash = random.next() % 2 == 0 ? random.next() % 12 : .max - random.next() % 4
      let short = UInt32(truncatingIfNeeded: hash)
      let entry = [Int(short), Int(random.next() % 6)]
      switch random.next() % 3 {
      case 0 where !model.contains(entry):
        table.insert(entry[1], short)
        model.insert(entry)
      case 1:
        table.remove(entry[1], short)
        model.remove(entry)
      default:
        let moved = [entry[0], Int(random.next() % 6)]
        guard model.contains(entry), !model.contains(moved) else { break }
        table.move(entry[1], to: moved[1], short)
        model.remove(entry)
        model.insert(moved)
      }
      var found: Set<Int> = []
      _ = table.first(short) {
        found.insert($0)
        return false
      }
      #expect(found == Set(model.filter { $0[0] == entry[0] }.map { $0[1] }))
    }
  }
}
