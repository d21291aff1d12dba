import EngineConformance
import MagicRelations
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Owners whose row another program has deleted, and of which only a collection was changed.
@Suite(.everyEngine) struct LostOwnerTests {
  private struct Track: MagicObject {
    @MagicValue var title: String = ""

    init() {}
  }

  private struct Named: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var tracks: [Track] = []

    init() {}
  }

  private struct Nameless: MagicObject {
    @MagicValue var year: Int = 0
    @MagicValue var tracks: [Track] = []

    init() {}
  }

  private struct Box: MagicObject {
    @MagicValue var content: [Nameless] = []

    init() {}
  }

  /// A key that reads the collection it is a key of, as an init with an unstored property may do.
  private struct Curious: MagicObject {
    @MagicValue var number: Int = 0
    nonisolated(unsafe) static var look: () -> Int = { 0 }
    var plain = Curious.look()

    init() {}
  }

  private struct Shelf: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var items: [Curious] = []

    init() {}
  }

  @Test func anOwnerWithAPrimaryIsInsertedWithItsMembersOnRequest() throws {
    let scratch = Scratch()
    let store = try scratch.open()
    let owner = Named()
    owner.name = "a"
    try store.update(owner)
    let other = try store.object(of: Named.self, primary: "a")
    try store.remove(owner)
    other.tracks.append(Track())
    let error = #expect(throws: MagicError.self) { try store.update(other) }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("Row 1 no longer exists.") == true)
    #expect(try store.object(of: Track.self).isEmpty)
    try store.update(other, ifMissing: .insert)
    #expect(try store.object(of: Named.self, primary: "a").tracks.count == 1)
  }

  @Test func anOwnerWithoutAPrimaryIsNotFound() throws {
    let scratch = Scratch()
    let store = try scratch.open()
    let owner = Nameless()
    try store.update(owner)
    let other = try store.object(of: Nameless.self)[0]
    try store.remove(owner)
    other.tracks.append(Track())
    let error = try #require(throws: MagicError.self) { try store.update(other) }
    #expect(error.code == .notFound)
    #expect(try store.object(of: Track.self).isEmpty)
  }

  @Test func aMemberLeavesItsCollection() throws {
    let scratch = Scratch()
    let store = try scratch.open()
    let box = Box()
    box.content = [Nameless(), Nameless()]
    try store.update(box)
    let other = try store.object(of: Box.self)[0]
    try store.remove(box.content[0])
    other.content[0].tracks.append(Track())
    try store.update(other)
    #expect(other.content.count == 1)
    #expect(try store.object(of: Box.self)[0].content.count == 1)
  }

  @Test func anInitMayReadTheCollectionThatIsBeingCreated() throws {
    let scratch = Scratch()
    let store = try scratch.open()
    let shelf = Shelf()
    shelf.name = "a"
    shelf.items = [Curious()]
    try store.update(shelf)
    let fetched = try store.object(of: Shelf.self, primary: "a")
    var depth = 0
    Curious.look = {
      depth += 1
      return depth > 3 ? 0 : fetched.items.count
    }
    defer { Curious.look = { 0 } }
    #expect(fetched.items.count == 1)
    #expect(depth > 0)
  }
}
