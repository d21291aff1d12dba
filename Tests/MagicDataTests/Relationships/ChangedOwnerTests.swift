import EngineConformance
import MagicData
import Testing

/// A fetched owner whose plain column was changed: its collection is not among its columns.
@Suite(.everyEngine) struct ChangedOwnerTests {
  @Test func aFetchedOwnerIsChangedAndSavedWithItsMembers() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let owner = Owner(1)
    owner.members = [Owner(2), Owner(3)]
    try await magic.update(owner)

    let fetched = try await magic.object(of: Owner.self, primary: 1)
    fetched.isMarked = true
    #expect(fetched.members.count == 2)
    try await magic.update(fetched)

    let again = try await magic.object(of: Owner.self, primary: 1)
    #expect(again.isMarked)
    #expect(Set(again.members.map(\.id)) == [2, 3])
  }
}

// An odd number of columns: the memory after them is not the library's.
private struct Owner: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var name: String = ""
  @MagicValue var isMarked: Bool = false
  @MagicValue var members: MagicalSet<Owner> = []

  init() {}

  init(_ id: Int) {
    self.id = id
  }
}
