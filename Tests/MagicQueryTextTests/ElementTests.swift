import EngineConformance
import MagicData
import MagicQueryText
import Testing

/// Elements of arrays that are stored as JSON.
@Suite(.everyEngine) struct ElementTests {
  private let world: SongWorld

  init() throws { world = try SongWorld() }

  private func expect(_ text: String, _ letters: String) throws {
    let found = try world.store.query(Song.self).where(text: text).order(by: \.$title).all()
    #expect(found.map { String($0.title.prefix(1)).lowercased() }.joined() == letters, "\(text)")
  }

  @Test func anArrayContainsAnElement() throws {
    try expect("tags CONTAINS 'new'", "a")
    try expect("tags CONTAINS 'ne'", "")
    try expect("'new' IN tags", "a")
    try expect("NOT tags CONTAINS 'new'", "bg")
  }

  @Test func elementsAreCounted() throws {
    try expect("tags.@count > 0", "a")
    try expect("tags.@count == 0", "bg")
  }

  @Test func quantifiersSelectElements() throws {
    try expect("ANY tags BEGINSWITH 'n'", "a")
    try expect("ANY tags ==[c] 'NEW'", "a")
    try expect("NONE tags == 'new'", "bg")
    try expect("ALL tags == 'old'", "bg")
    try expect("ANY remixes.tags == 'new'", "bg")
  }

  @Test func mistakesAreRefused() throws {
    for text in ["tags CONTAINS 3", "ANY data == 'x'", "data.@count > 1", "ANY title == 'x'"] {
      let error = #expect(throws: MagicError.self) { try MagicPredicate<Song>(text: text) }
      #expect(error?.code == .invalidQuery, "\(text)")
    }
  }
}
