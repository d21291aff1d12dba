import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private struct Cancelled: Error {}

private struct NilLiteral: Magical, ExpressibleByNilLiteral {
  var storedValue: String { "" }
  init(nilLiteral: ()) {}
  init(storedValue: String) {}
}

private struct Nillable: MagicObject {
  @MagicValue var value: NilLiteral
  init() {}
}

@Suite(.everyEngine) struct ChangeStateTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  @Test func anObjectIsSavedWhileItHasARow() async throws {
    let magic = try await open()
    let ann = Player("Ann")
    let copy = ann
    #expect(!ann.isSaved)
    try await magic.update(ann)
    #expect(ann.isSaved && copy.isSaved)
    #expect(try await magic.object(of: Player.self)[0].isSaved)
    try await magic.remove(ann)
    #expect(!ann.isSaved && !copy.isSaved)
  }

  @Test func anUnsavedObjectHasChanges() async throws {
    let magic = try await open()
    let reds = Team("Reds")
    #expect(reds.hasChanges)
    #expect(reds.changedProperties == ["key", "name", "captain"])
    try await magic.update(reds)
    #expect(!reds.hasChanges)
    try await magic.remove(reds)
    #expect(reds.hasChanges)
    #expect(reds.changedProperties == ["key", "name", "captain"])
  }

  @Test func settingAndSavingChangeTheState() async throws {
    let magic = try await MagicData(type: .temporary)
    let new = Everything()
    new.text = "a"
    try await magic.update(new)
    let fetched = try await magic.object(of: Everything.self)[0]
    for object in [new, fetched] {
      #expect(!object.hasChanges)
      #expect(object.changedProperties.isEmpty)
      object.list.append("z")
      object.maybe = nil
      object.text = "b"
      let copy = object
      #expect(copy.hasChanges)
      #expect(copy.changedProperties == ["text", "list", "maybe"])
      #expect(object.$text.hasChanged && object.$list.hasChanged && object.$maybe.hasChanged)
      #expect(!object.$count.hasChanged && !object.$petName.hasChanged)
      try await magic.update(object)
      #expect(!object.hasChanges && !object.$text.hasChanged)
    }
    await magic.close()
  }

  @Test func setsToTheSameValueAreChanges() async throws {
    let magic = try await open()
    let page = Page()
    try await magic.update(page)
    page.text = ""
    #expect(page.hasChanges)
  }

  @Test func aClassHasAState() async throws {
    let magic = try await open()
    let page = Page()
    #expect(!page.isSaved && page.hasChanges)
    try await magic.update(page)
    let fetched = try await magic.object(of: Page.self)[0]
    #expect(fetched.isSaved && !fetched.hasChanges)
    fetched.text = "a"
    #expect(fetched.changedProperties == ["text"])
    #expect(fetched.$text.hasChanged)
    #expect(!page.hasChanges)
  }

  @Test func assignedPrimariesAreNoChanges() async throws {
    let magic = try await open()
    let (numbered, league) = (Numbered(), League())
    #expect(!numbered.$id.isSet)
    try await magic.update(numbered)
    try await magic.update(league)
    #expect(numbered.id == 1 && numbered.$id.isSet)
    #expect(!numbered.hasChanges)
    #expect(!league.hasChanges)
    #expect(!league.$number.hasChanged)
  }

  @Test func collectionsAndToOnesAreProperties() async throws {
    let magic = try await open()
    let (league, reds, ann) = (League(), Team("Reds"), Player("Ann"))
    league.teams = [reds]
    try await magic.update(ann)
    try await magic.update(league)
    let fetched = try await magic.object(of: League.self)[0]
    for league in [league, fetched] {
      #expect(!league.hasChanges)
      league.stars.insert(ann)
      #expect(league.changedProperties == ["stars"])
      league.teams = []
      league.byShirt[1] = ann
      #expect(league.changedProperties == ["teams", "stars", "byShirt"])
      #expect(league.$stars.hasChanged && league.$stars.isSet)
      try await magic.update(league)
      #expect(!league.hasChanges)
      league.teams = [reds]
      try await magic.update(league)
    }
    let team = try await magic.object(of: Team.self)[0]
    team.captain = ann
    #expect(team.changedProperties == ["captain"])
    #expect(team.$captain.hasChanged)
    try await magic.update(team)
    #expect(!team.hasChanges)
  }

  @Test func changesOfOtherObjectsAreNotCounted() async throws {
    let magic = try await open()
    let (reds, ann) = (Team("Reds"), Player("Ann"))
    reds.captain = ann
    try await magic.update(reds)
    ann.name = "Anna"
    #expect(!reds.hasChanges)
    #expect(ann.hasChanges)
    let fetched = try await magic.object(of: Team.self)[0]
    fetched.captain?.name = "Annie"
    #expect(!fetched.hasChanges)
    #expect(fetched.captain?.hasChanges == true)
  }

  @Test func lazyPropertiesAreComparedWithTheirRow() async throws {
    let magic = try await open()
    let (league, reds) = (League(), Team("Reds"))
    #expect(league.$lazyTeam.hasChanged && league.$lazyTeam.isSet)
    try await magic.update(league)
    let fetched = try await magic.object(of: League.self)[0]
    for league in [league, fetched] {
      #expect(!league.hasChanges && !league.$lazyTeam.hasChanged)
      #expect(league.$lazyTeam.isSet)
      league.lazyTeam = AsyncMagical(value: [reds])
      #expect(league.changedProperties == ["lazyTeam"])
      #expect(league.$lazyTeam.hasChanged)
      try await magic.update(league)
      #expect(!league.hasChanges && !league.$lazyTeam.hasChanged)
      let value = try await league.lazyTeam.get()
      #expect(value == [reds])
      #expect(!league.hasChanges)
    }
  }

  @Test func aLazyToOneIsChangedUntilItIsSaved() async throws {
    let magic = try await open()
    let (invoice, ann) = (Invoice(), Player("Ann"))
    invoice.customer = ann
    invoice.note = ""
    #expect(invoice.$lazyCustomer.isSet)
    try await magic.update(invoice)
    let fetched = try await magic.object(of: Invoice.self)[0]
    for invoice in [invoice, fetched] {
      #expect(!invoice.hasChanges && invoice.$lazyCustomer.isSet)
      for value in [AsyncMagical(value: ann), nil, AsyncMagical(value: ann), nil] {
        invoice.lazyCustomer = value
        #expect(invoice.changedProperties == ["lazyCustomer"])
        #expect(invoice.$lazyCustomer.hasChanged)
        try await magic.update(invoice)
        #expect(!invoice.hasChanges && !invoice.$lazyCustomer.hasChanged)
      }
    }
  }

  @Test func aRemovedObjectHasAllChangesAgain() async throws {
    let magic = try await open()
    try await magic.update(Player("Ann"))
    let ann = try await magic.object(of: Player.self)[0]
    try await magic.remove(ann)
    #expect(!ann.isSaved && ann.changedProperties == ["name", "team"])
    try await magic.update(ann)
    #expect(ann.isSaved && !ann.hasChanges)
  }

  @Test func aRequiredValueThatMayBeANilLiteralCanBeUnset() {
    let object = Nillable()
    #expect(!object.$value.isSet)
    object.value = nil
    #expect(object.$value.isSet)
  }

  @Test func aRolledBackTransactionRestoresTheChanges() async throws {
    let magic = try await open()
    let (league, ann, bob) = (League(), Player("Ann"), Player("Bob"))
    try await magic.update(ann)
    try await magic.update(league)
    ann.name = "Anna"
    league.stars.insert(ann)
    league.lazyTeam = AsyncMagical(value: [])
    await #expect(throws: Cancelled.self) {
      try await magic.transaction { transaction in
        try transaction.update(ann)
        try transaction.update(bob)
        try transaction.update(league)
        #expect(!ann.hasChanges)
        throw Cancelled()
      }
    }
    #expect(ann.changedProperties == ["name"])
    #expect(ann.$name.hasChanged)
    #expect(league.changedProperties == ["stars", "lazyTeam"])
    #expect(!bob.isSaved && bob.hasChanges)
    #expect(bob.changedProperties == ["name", "team"])
    try await magic.update(contentsOf: [ann, bob])
    try await magic.update(league)
    #expect(!ann.hasChanges && !bob.hasChanges && !league.hasChanges)
  }

  @Test func aRolledBackRemovalKeepsTheObjectSaved() async throws {
    let magic = try await open()
    let ann = Player("Ann")
    try await magic.update(ann)
    await #expect(throws: Cancelled.self) {
      try await magic.transaction { transaction in
        try transaction.remove(ann)
        throw Cancelled()
      }
    }
    #expect(ann.isSaved && !ann.hasChanges)
  }

  @Test func concurrentSetsAndSavesLoseNoChange() async throws {
    let magic = try await open()
    let ann = Player("Ann")
    try await magic.update(ann)
    let fetched = try await magic.object(of: Player.self)[0]
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for number in 0..<500 { fetched.name = "\(number)" } }
      group.addTask { for _ in 0..<50 { try await magic.update(fetched) } }
      group.addTask { for _ in 0..<500 { _ = (fetched.hasChanges, fetched.$name.hasChanged) } }
      try await group.waitForAll()
    }
    if !fetched.hasChanges {
      #expect(try await magic.object(of: Player.self)[0].name == "499")
    }
    try await magic.update(fetched)
    #expect(!fetched.hasChanges)
    #expect(try await magic.object(of: Player.self)[0].name == "499")
  }

  @Test func aPropertyIsSetIfItHasAValue() async throws {
    let magic = try await open()
    let team = Team()
    #expect(!team.$key.isSet && !team.$name.isSet)
    #expect(team.$captain.isSet)
    team.name = "Reds"
    #expect(team.$name.isSet)
    _ = team.key
    #expect(team.$key.isSet)
    try await magic.update(team)
    let fetched = try await magic.object(of: Team.self)[0]
    #expect(fetched.$name.isSet && fetched.$captain.isSet && fetched.$key.isSet)
    #expect(Everything().$heat.isSet && Everything().$asset.isSet)
  }

  @Test func inverseRelationshipsAreSetAndUnchanged() async throws {
    let magic = try await open()
    let ann = Player("Ann")
    #expect(ann.$leagues.isSet && !ann.$leagues.hasChanged)
    try await magic.update(ann)
    let fetched = try await magic.object(of: Player.self)[0]
    #expect(fetched.$leagues.isSet && !fetched.$leagues.hasChanged)
  }

  @Test func propertiesOfOtherObjectsHaveNoState() {
    let reds = Team("Reds")
    reds.captain = Player("Ann")
    #expect(!reds.$captain.$name.isSet && !reds.$captain.$name.hasChanged)
  }
}
