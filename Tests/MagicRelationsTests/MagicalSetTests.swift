import EngineConformance
import Foundation
import MagicRelations
import MagicStore
import Testing

@Suite(.everyEngine) struct MagicalSetTests {
  @Test func insertingTheSameObjectReplacesTheElement() {
    var set: MagicalSet = [Guest("Anna", table: 1), Guest("Ben", table: 1)]
    let first = set.insert(Guest("Anna", table: 2))
    #expect(!first.inserted)
    #expect(first.memberAfterInsert.table == 2)
    let second = set.insert(Guest("Cleo", table: 3))
    #expect(second.inserted)
    #expect(second.memberAfterInsert.table == 3)
    #expect(set.count == 3)
    #expect(set.first { $0.name == "Anna" }?.table == 2)
  }

  @Test func removingRemovesOneObject() {
    let ben = Guest("Ben", table: 7)
    var set: MagicalSet = [Guest("Anna"), ben, Guest("Cleo")]
    #expect(set.remove(Guest("Ben"))?.table == 7)
    #expect(set.remove(ben) == nil)
    #expect(Set(set.map(\.name)) == ["Anna", "Cleo"])
    #expect(set.contains(Guest("Cleo")))
    #expect(set.remove(Guest("Anna")) != nil)
    #expect(set.remove(Guest("Cleo")) != nil)
    #expect(set.isEmpty)
    #expect(set.remove(ben) == nil)
  }

  @Test func aConditionRemovesManyObjects() {
    var set = MagicalSet((0..<100).map { Guest("\($0)", table: $0) })
    set.removeAll { $0.table % 3 == 0 }
    #expect(set.count == 66)
    for table in 0..<100 { #expect(set.contains(Guest("\(table)")) == (table % 3 != 0)) }
    set.insert(Guest("1", table: -1))
    #expect(set.count == 66)
    #expect(set.first { $0.name == "1" }?.table == -1)
    set.removeAll()
    #expect(set.isEmpty)
    #expect(!set.contains(Guest("1")))
    set.insert(Guest("1"))
    #expect(set.count == 1)
  }

  @Test func aConditionThatThrowsDoesNotChangeTheSet() {
    var set: MagicalSet = [Guest("Anna"), Guest("Ben")]
    #expect(throws: MagicalError.self) {
      try set.removeAll {
        if $0.name == "Ben" { throw MagicalError.cannotEncode("") }
        return true
      }
    }
    #expect(set.count == 2)
    #expect(set.contains(Guest("Anna")))
  }

  @Test func aRemovalByConditionBeforeTheFirstSearchIsApplied() {
    var set = MagicalSet(distinct: [Guest("Anna"), Guest("Ben")])
    set.removeAll { $0.name == "Anna" }
    #expect(!set.contains(Guest("Anna")))
    #expect(set.contains(Guest("Ben")))
  }

  @Test func copiesChangeIndependently() {
    let set: MagicalSet = [Guest("Anna"), Guest("Ben")]
    var copy = set
    #expect(set.contains(Guest("Anna")))
    copy.remove(Guest("Anna"))
    copy.insert(Guest("Cleo"))
    #expect(set.contains(Guest("Anna")))
    #expect(!set.contains(Guest("Cleo")))
    #expect(!copy.contains(Guest("Anna")))
    #expect(copy.contains(Guest("Ben")))
    #expect(set.count == 2)
  }

  @Test func batchesAreInsertedAndRemoved() {
    var set = MagicalSet<Guest>()
    set.insert(contentsOf: ["Anna", "Ben", "Anna"].map { Guest($0) })
    #expect(set.count == 2)
    set.subtract(["Anna", "Dora"].map { Guest($0) })
    #expect(set.map(\.name) == ["Ben"])
  }

  @Test func aSetIsACollectionWithIntegerIndices() {
    let set = MagicalSet((0..<5).map { Guest("\($0)") })
    #expect(set.indices == 0..<5)
    #expect((0..<5).map { set[$0].name } == ["0", "1", "2", "3", "4"])
    #expect(set.reversed().first?.name == "4")
    #expect(MagicalSet<Guest>().isEmpty)
  }

  @Test func distinctMembersAreStoredWithoutComparison() {
    let members = (0..<5).map { Guest("\($0)") }
    let set = MagicalSet(distinct: members)
    #expect(set.members.map(\.name) == members.map(\.name))
    #expect(set.contains(Guest("3")))
    #expect(!set.contains(Guest("5")))
    #expect(!MagicalSet<Guest>(distinct: []).contains(Guest("3")))
  }

  @Test func aSetDistinguishesItsElementsByTheirRows() throws {
    var set: MagicalSet = [Note("secret"), Note("secret")]
    try makeStore().update(contentsOf: Array(set))
    set.insert(Note("secret"))
    #expect(set.description == "[1, 2, –]")
    #expect(set.debugDescription == "MagicalSet<Note>([1, 2, –])")
  }

  @Test func aSetHasNoValueForAColumn() {
    #expect(
      throws: MagicalError.cannotEncode(
        "a set of objects is stored in a join table, not in a column")
    ) {
      try MagicalSet<Note>().storedValue
    }
    #expect(
      throws: MagicalError.cannotDecode(
        "a set of objects is stored in a join table, not in a column")
    ) {
      try MagicalSet<Note>(storedValue: Data())
    }
    #expect(MagicalSet<Note>._packing == .object)
    let type: Any.Type = MagicalSet<Note>.self
    #expect(type is any MagicalRelation.Type)
  }
}
