import EngineConformance
import MagicRelations
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Elements of a set that become one object after their insertion.
@Suite(.everyEngine) struct SetDuplicateTests {
  private struct Guest: MagicObject {
    @PrimaryMagicValue var name: String

    init() {}
    init(_ name: String) { self.name = name }
  }

  private struct Party: MagicObject {
    @MagicValue var guests: MagicalSet<Guest> = []

    init() {}
  }

  @Test func anElementThatOccursTwiceIsKeptWhenOneOccurrenceIsRemoved() throws {
    let scratch = Scratch()
    let store = try scratch.open()
    let (first, second) = (Guest("a"), Guest("b"))
    let party = Party()
    party.guests = [first, second, Guest("c")]
    second.name = "a"
    try store.update(party)
    #expect(try store.object(of: Party.self)[0].guests.count == 2)

    party.guests.deduplication()
    #expect(party.guests.count == 2)
    try store.update(party)
    #expect(Set(try store.object(of: Party.self)[0].guests.map(\.name)) == ["a", "c"])
  }
}
