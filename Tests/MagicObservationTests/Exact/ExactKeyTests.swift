import EngineConformance
import MagicData
import Testing

/// The changes of the object with a key of several columns.
@Suite(.everyEngine) struct ExactKeyTests {
  @Test func onlyTheRowWithTheKeyIsReported() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let one = magic.changes(of: Keyed.self, key: "a", 1)
    let (first, second) = (Keyed("a", 1), Keyed("a", 2))
    try await magic.update(first)
    try await magic.update(second)
    second.text = "x"
    try await magic.update(second)
    first.text = "y"
    try await magic.update(first)
    first.number = 3
    try await magic.update(first)
    first.text = "z"
    try await magic.update(first)
    second.number = 1
    try await magic.update(second)
    try await magic.remove(first)
    try await magic.remove(second)
    await magic.close()
    #expect(await texts(one) == ["+1", "1:text", "1:number", "2:number", "-2"])
  }

  @Test func aNewObjectWithTheKeyIsAnUpdate() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(Keyed("a", 1))
    let one = magic.changes(of: Keyed.self, key: "a", 1)
    let new = Keyed("a", 1)
    new.text = "new"
    try await magic.update(new)
    await magic.close()
    #expect(await texts(one) == ["1:text"])
  }

  @Test func changedMembersOfTheObjectAreReported() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let (first, second) = (Keyed("a", 1), Keyed("b", 1))
    try await magic.update(contentsOf: [first, second])
    let one = magic.changes(of: Keyed.self, key: "a", 1)
    first.pets.append(Pet("Rex"))
    try await magic.update(first)
    second.pets.append(Pet("Tom"))
    try await magic.update(second)
    await magic.close()
    #expect(await texts(one) == ["1:pets"])
  }

  @Test(.requires(.queries)) func aToOneInAKeyIsAnObjectOrItsRowID() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let (rex, tom) = (Pet("Rex"), Pet("Tom"))
    try await magic.update(contentsOf: [rex, tom])
    let zIndex = try #require(tom.zIndex)
    let ofRex = magic.changes(of: Visit.self, key: rex, 1)
    let ofTom = magic.changes(of: Visit.self, key: zIndex, 1)
    let ofNone = magic.changes(of: Visit.self, key: Pet("new"), 1)
    try await magic.update(contentsOf: [Visit(tom, 1), Visit(rex, 1), Visit(rex, 2)])
    try await magic.query(Visit.self).delete()
    await magic.close()
    #expect(await texts(ofRex) == ["+2", "-2"])
    #expect(await texts(ofTom) == ["+1", "-1"])
    #expect(await texts(ofNone).isEmpty)
  }

  @Test func aStreamOfWrongValuesEnds() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    for changes in [
      magic.changes(of: Keyed.self, key: "a"), magic.changes(of: Keyed.self, key: "a", "b"),
      magic.changes(of: Keyed.self, key: "a", 1, 2),
    ] {
      var iterator = changes.makeAsyncIterator()
      #expect(await iterator.next() == nil)
    }
    let other = magic.changes(of: Pet.self, key: "a", 1)
    var iterator = other.makeAsyncIterator()
    #expect(await iterator.next() == nil)
  }

  @Test func mergedChangesKeepTheKeys() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let one = magic.changes(of: Keyed.self, key: "a", 1, bufferingAtMost: 1)
    let first = Keyed("a", 1)
    try await magic.update(first)
    first.number = 2
    try await magic.update(first)
    first.number = 1
    try await magic.update(first)
    first.text = "x"
    try await magic.update(first)
    await magic.close()
    #expect(await texts(one) == ["+1"])
  }

  @Test func aKeyInDistantColumnsOfAWideTypeIsReported() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let (first, second) = (KeyedWide(0, 1), KeyedWide(0, 2))
    try await magic.update(contentsOf: [first, second])
    let one = magic.changes(of: KeyedWide.self, key: 0, 1)
    first.c1 = 5
    try await magic.update(first)
    second.c1 = 5
    try await magic.update(second)
    first.c60 = 5
    try await magic.update(first)
    first.c61 = 3
    try await magic.update(first)
    first.c1 = 6
    try await magic.update(first)
    second.c61 = 1
    try await magic.update(second)
    try await magic.remove(second)
    await magic.close()
    #expect(await texts(one) == ["1:c1", "1:c60", "1:c61", "2:c61", "-2"])
  }
}

private struct Keyed: MagicObject {
  static var key: MagicKey<Keyed> { MagicKey(\.$name, \.$number) }

  @MagicValue var text: String = ""
  @MagicValue var number: Int
  @MagicValue var name: String
  @MagicValue var pets: [Pet] = []

  init() {}
  init(_ name: String, _ number: Int) { (self.name, self.number) = (name, number) }
}

private struct Visit: MagicObject {
  static var key: MagicKey<Visit> { MagicKey(\.$pet, \.$day) }

  @MagicValue var pet: Pet
  @MagicValue var day: Int

  init() {}
  init(_ pet: Pet, _ day: Int) { (self.pet, self.day) = (pet, day) }
}

/// The columns of the key are recorded by different triggers.
private struct KeyedWide: MagicObject {
  static var key: MagicKey<KeyedWide> { MagicKey(\.$c0, \.$c61) }

  @MagicValue var c0: Int = 0
  @MagicValue var c1: Int = 0
  @MagicValue var c2: Int = 0
  @MagicValue var c3: Int = 0
  @MagicValue var c4: Int = 0
  @MagicValue var c5: Int = 0
  @MagicValue var c6: Int = 0
  @MagicValue var c7: Int = 0
  @MagicValue var c8: Int = 0
  @MagicValue var c9: Int = 0
  @MagicValue var c10: Int = 0
  @MagicValue var c11: Int = 0
  @MagicValue var c12: Int = 0
  @MagicValue var c13: Int = 0
  @MagicValue var c14: Int = 0
  @MagicValue var c15: Int = 0
  @MagicValue var c16: Int = 0
  @MagicValue var c17: Int = 0
  @MagicValue var c18: Int = 0
  @MagicValue var c19: Int = 0
  @MagicValue var c20: Int = 0
  @MagicValue var c21: Int = 0
  @MagicValue var c22: Int = 0
  @MagicValue var c23: Int = 0
  @MagicValue var c24: Int = 0
  @MagicValue var c25: Int = 0
  @MagicValue var c26: Int = 0
  @MagicValue var c27: Int = 0
  @MagicValue var c28: Int = 0
  @MagicValue var c29: Int = 0
  @MagicValue var c30: Int = 0
  @MagicValue var c31: Int = 0
  @MagicValue var c32: Int = 0
  @MagicValue var c33: Int = 0
  @MagicValue var c34: Int = 0
  @MagicValue var c35: Int = 0
  @MagicValue var c36: Int = 0
  @MagicValue var c37: Int = 0
  @MagicValue var c38: Int = 0
  @MagicValue var c39: Int = 0
  @MagicValue var c40: Int = 0
  @MagicValue var c41: Int = 0
  @MagicValue var c42: Int = 0
  @MagicValue var c43: Int = 0
  @MagicValue var c44: Int = 0
  @MagicValue var c45: Int = 0
  @MagicValue var c46: Int = 0
  @MagicValue var c47: Int = 0
  @MagicValue var c48: Int = 0
  @MagicValue var c49: Int = 0
  @MagicValue var c50: Int = 0
  @MagicValue var c51: Int = 0
  @MagicValue var c52: Int = 0
  @MagicValue var c53: Int = 0
  @MagicValue var c54: Int = 0
  @MagicValue var c55: Int = 0
  @MagicValue var c56: Int = 0
  @MagicValue var c57: Int = 0
  @MagicValue var c58: Int = 0
  @MagicValue var c59: Int = 0
  @MagicValue var c60: Int = 0
  @MagicValue var c61: Int = 0

  init() {}
  init(_ c0: Int, _ c61: Int) { (self.c0, self.c61) = (c0, c61) }
}
