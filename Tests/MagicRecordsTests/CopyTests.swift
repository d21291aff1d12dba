import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

struct Invoice: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var customer: Player
  @MagicValue(.owned) var lines: [InvoiceLine] = []
  @OptionMagicValue var lazyCustomer: AsyncMagical<Player>?
  @MagicValue var note: String
  init() {}
}

struct InvoiceLine: MagicObject {
  @MagicValue var text: String = ""
  init() {}
}

@Suite(.everyEngine) struct CopyTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  @Test func aCopyIsAnotherObjectWithTheSameValues() async throws {
    let magic = try await MagicData(type: .temporary)
    var object = Everything()
    object.text = "a"
    object.petName = "b"
    object.plain = 7
    let values = object.values.omitting(\.$id)
    try await magic.update(object)
    for source in [object, try await magic.object(of: Everything.self)[0]] {
      let copy = source.copy()
      #expect(!copy.isSaved && copy.hasChanges)
      #expect(copy.values.omitting(\.$id) == values)
      #expect(copy.id != source.id)
      copy.text = "c"
      copy.list.append("z")
      #expect(source.text == "a" && source.list == ["x", "y"])
      source.petName = "d"
      #expect(copy.petName == "b")
      source.petName = "b"
    }
    #expect(object.copy().plain == 7)
    let copy = object.copy()
    try await magic.update(copy)
    #expect(try await magic.object(of: Everything.self).count == 2)
    #expect(object.isSaved && !copy.isSameRow(as: object))
    await magic.close()
  }

  @Test func theDatabaseAssignsANewPrimary() async throws {
    let magic = try await open()
    let first = Numbered()
    try await magic.update(first)
    let second = first.copy()
    #expect(second.id == 0)
    try await magic.update(second)
    #expect((first.id, second.id) == (1, 2))
  }

  @Test func valuesThatAreNotSetStayUnset() {
    let copy = Team().copy()
    #expect(!copy.$name.isSet && !copy.$key.isSet)
    #expect(copy.captain == nil)
  }

  @Test func relationshipsReferToTheSameObjects() async throws {
    let magic = try await open()
    let (league, reds, ann) = (League(), Team("Reds"), Player("Ann"))
    reds.captain = ann
    league.teams = [reds, reds]
    league.stars = [ann]
    league.byShirt = [4: ann]
    try await magic.update(league)
    for source in [league, try await magic.object(of: League.self)[0]] {
      let copy = source.copy()
      #expect(copy.teams == [reds, reds])
      #expect(copy.teams[0].captain == ann)
      copy.stars = []
      #expect(source.stars.count == 1)
      try await magic.update(copy)
      #expect(copy.number != source.number)
      let stored = try await magic.object(of: League.self, primary: copy.number)
      #expect(stored.teams == [reds, reds] && stored.byShirt == [4: ann])
      #expect(stored.stars.isEmpty)
    }
    #expect(try await magic.object(of: Team.self).count == 1)
    #expect(try await magic.object(of: Player.self).count == 1)
  }

  @Test func ownedAndLazyMembersAreNotCopied() async throws {
    let magic = try await open()
    let (invoice, ann) = (Invoice(), Player("Ann"))
    invoice.customer = ann
    invoice.lines = [InvoiceLine()]
    invoice.lazyCustomer = AsyncMagical(value: ann)
    invoice.note = "n"
    try await magic.update(invoice)
    let copy = invoice.copy()
    #expect(copy.lines.isEmpty && copy.lazyCustomer == nil)
    #expect(copy.customer == ann && copy.note == "n")
    try await magic.update(copy)
    let stored = try await magic.object(of: Invoice.self)
    #expect(stored.map(\.lines.count) == [1, 0])
  }

  @Test func aCopyOfAnAssetOutlivesTheOriginal() async throws {
    let magic = try await MagicData(type: .temporary)
    let object = Everything()
    object.text = "a"
    object.asset = MagicAsset(value: "content")
    try await magic.update(object)
    let copy = try await magic.object(of: Everything.self)[0].copy()
    try await magic.update(copy)
    try await magic.remove(object)
    let stored = try await magic.object(of: Everything.self)
    #expect(try stored.map { try #require($0.asset).value } == ["content"])
    await magic.close()
  }

  @Test func aClassIsCopied() async throws {
    let magic = try await open()
    let page = Page()
    page.text = "a"
    try await magic.update(page)
    let copy = page.copy()
    #expect(copy !== page && copy.text == "a" && !copy.isSaved)
    copy.text = "b"
    #expect(page.text == "a" && !page.hasChanges)
  }

  @Test func valuesAreCopiedWhileTheyAreSet() async throws {
    let object = Everything()
    object.text = "0"
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<500 {
          object.text = "\(number)"
          object.list.append("\(number)")
        }
      }
      group.addTask {
        for _ in 0..<500 { #expect(Int(object.copy().text) != nil) }
      }
    }
    #expect(object.copy().text == "499")
    #expect(object.copy().list.count == 502)
  }
}
