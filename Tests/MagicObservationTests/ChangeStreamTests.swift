import EngineConformance
import MagicData
import Testing

struct Human: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.indexed) var name: String = ""
  @MagicValue var age: Int = 0
  @MagicValue var height: Double = 0
  @OptionMagicValue var friend: Human?
  @MagicValue var pets: [Pet] = []

  init() {}

  init(_ name: String, age: Int = 0) {
    self.name = name
    self.age = age
  }
}

struct Pet: MagicObject {
  @MagicValue var name: String = ""

  init() {}

  init(_ name: String) { self.name = name }
}

@Suite(.everyEngine) struct ChangeStreamTests {
  @Test func aSaveIsOneElement() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    var changes = magic.changes(of: Human.self).makeAsyncIterator()
    let ada = Human("Ada")
    let zIndex = try await magic.update(ada)
    let first = try #require(await changes.next())
    #expect(first.inserted == [zIndex])
    #expect(first.updated.isEmpty && first.deleted.isEmpty)
    #expect(first.hasPrimaryChanged(ada.id) && !first.hasPrimaryChanged(ada.id + 1))

    ada.age = 30
    ada.pets.append(Pet("Rex"))
    try await magic.update(ada)
    let second = try #require(await changes.next())
    #expect(second.updated[zIndex]?.names == ["age", "pets"])
    #expect(second.hasChanged(\.$age) && !second.hasChanged(\.$name))

    try await magic.remove(ada)
    let third = try #require(await changes.next())
    #expect(third.deleted == [zIndex] && third.inserted.isEmpty && third.updated.isEmpty)
    #expect(third.isComplete && third.transactionCount == 1)
    await magic.close()
    #expect(await changes.next() == nil)
  }

  @Test(.requires(.queries)) func changedValuesArePublishedAgain() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    var values = magic.query(Human.self).where(\.$age > 18).values().makeAsyncIterator()
    #expect(try await values.next()?.count == 0)
    try await magic.update(Human("Ada", age: 30))
    #expect(try await values.next()?.map(\.name) == ["Ada"])
    if TestedEngine.current.has(.rawSQL) {
      try await magic.sql("UPDATE Human SET age = 31").run()
    } else {
      try await magic.query(Human.self).update(set: \.$age, to: 31)
    }
    #expect(try await values.next()?.map(\.age) == [31])
    await magic.close()
    #expect(try await values.next() == nil)
  }
}
