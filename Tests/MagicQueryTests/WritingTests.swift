import EngineConformance
import Foundation
import MagicQuery
import MagicSQLite
import MagicStatements
import Testing

@Suite(.everyEngine) struct WritingTests {
  let test: TestStore

  init() throws { test = try TestStore.ofResidents() }

  private func ages() throws -> [Int] {
    try test.store.query(Resident.self).order(by: \.$name).select(\.$age).all()
  }

  @Test func anUpdateChangesTheMatchingRows() throws {
    #expect(try test.store.query(Resident.self).where(\.$age == 18).update(set: \.$age += 1) == 2)
    #expect(try ages() == [36, 19, 19, 70])
    #expect(try test.store.query(Resident.self).update(set: \.$age -= 9) == 4)
    #expect(try ages() == [27, 10, 10, 61])
    #expect(try test.store.query(Resident.self).update(set: \.$age *= \.$id - 1) == 4)
    #expect(try ages() == [0, 10, 20, 183])
  }

  @Test func severalPropertiesAreSetAtOnce() throws {
    let changed = try test.store.query(Resident.self).where(\.$name == "Ada").update(
      set: .set(\.$nick, to: "a"), .set(\.$height, to: nil), .set(\.$age) { $0.$age + $0.$id })
    #expect(changed == 1)
    let ada = try #require(try test.store.query(Resident.self).where(\.$nick == "a").first())
    #expect(ada.height == nil)
    #expect(ada.age == 36 + ada.id)
    try test.store.query(Resident.self).update(set: \.$nick, to: nil)
    #expect(try test.store.query(Resident.self).where(\.$nick == nil).count() == 4)
    #expect(
      code { try test.store.query(Resident.self).update(set: \.$age += 1, \.$age += 2) }
        == .invalidQuery)
  }

  @Test func orderAndLimitSelectTheChangedRows() throws {
    let oldest = test.store.query(Resident.self).order(by: \.$age, .descending).limit(1)
    #expect(try oldest.update(set: \.$age, to: 1) == 1)
    #expect(try ages() == [36, 18, 18, 1])
    #expect(try oldest.delete() == 1)
    #expect(try ages() == [18, 18, 1])
    #expect(try test.store.query(Resident.self).order(by: \.$name).offset(2).delete() == 1)
    #expect(try ages() == [18, 18])
  }

  @Test func anUpdateReachesAcrossRelationships() throws {
    let home = Home("Elm")
    try test.store.update(home)
    let some = test.store.query(Resident.self).where(\.$age == 18)
    #expect(try some.update(set: .set(\.$home, to: home)) == 2)
    #expect(try test.store.query(Resident.self).where(\.$home.$street == "Elm").count() == 2)
    let there = test.store.query(Resident.self).where(\.$home.$street == "Elm")
    #expect(try there.update(set: .set(\.$nick) { $0.$home.$street }) == 2)
    #expect(try test.store.query(Resident.self).where(\.$nick == "Elm").count() == 2)
    #expect(try some.update(set: .set(\.$home, to: nil)) == 2)
    #expect(code { try some.update(set: .set(\.$home, to: Home("new"))) } == .notSaved)
  }

  @Test func aNumberOutOfRangeChangesNothing() throws {
    let residents = test.store.query(Resident.self)
    #expect(code { try residents.update(set: \.$age += .max) } == .cannotEncode)
    #expect(try ages() == [36, 18, 18, 70])
    #expect(try residents.update(set: \.$level, to: 120) == 4)
    #expect(code { try residents.update(set: \.$level += 8) } == .cannotEncode)
    #expect(try residents.update(set: \.$level += 7) == 4)
    #expect(try residents.where(\.$level == 127).count() == 4)
    #expect(code { try residents.update(set: .set(\.$age, to: \.$age / 0)) } == .constraint)
  }

  @Test func aComputedRealIsNeverNotANumber() throws {
    let residents = test.store.query(Resident.self)
    #expect(code { try residents.update(set: \.$weight, to: .nan) } == .cannotEncode)
    #expect(try residents.update(set: \.$weight, to: .infinity) == 4)
    #expect(code { try residents.update(set: \.$weight -= .infinity) } == .constraint)
    #expect(try residents.where(\.$weight == .infinity).count() == 4)
  }

  @Test func aDuplicateUniqueValueIsAnError() throws {
    try test.store.update(contentsOf: [Note("a", rank: 1), Note("b", rank: 2)])
    #expect(code { try test.store.query(Note.self).update(set: \.$rank, to: 5) } == .notUnique)
    #expect(try test.store.query(Note.self).order(by: \.$rank).select(\.$rank).all() == [1, 2])
  }

  @Test func theNextAutoIncrementPrimaryIsCorrectAfterAnUpdateOfPrimaries() throws {
    try test.store.query(Resident.self).where(\.$name == "Dora").update(set: \.$id, to: 100)
    let eve = Resident("Eve")
    try test.store.update(eve)
    #expect(eve.id == 101)
    try test.store.transaction { transaction in
      let fay = Resident("Fay")
      try transaction.update(fay)
      #expect(fay.id == 102)
      try transaction.query(Resident.self).where(\.$name == "Fay").update(set: \.$id += 98)
      let gil = Resident("Gil")
      try transaction.update(gil)
      #expect(gil.id == 201)
    }
    try test.store.query(Resident.self).where(\.$id > 100).delete()
    let hal = Resident("Hal")
    try test.store.update(hal)
    #expect(hal.id == 202)
    let last = try test.store.query(Resident.self).select { $0.zIndex }.all().max()
    #expect(hal.zIndex == last)
  }

  @Test func aDeletedRowIDIsNotAssignedAgain() throws {
    let last = try #require(try test.store.query(Resident.self).order { $0.zIndex }.all().last)
    let number = try #require(last.zIndex)
    #expect(try test.store.query(Resident.self).delete() == 4)
    let eve = Resident("Eve")
    try test.store.update(eve)
    #expect(try #require(eve.zIndex) > number)
  }

  @Test func deletingFollowsTheDeleteRules() throws {
    try test.store.update(contentsOf: [
      Letter("a", Note("x", rank: 1)), Letter("b", Note("y", rank: 2)),
    ])
    #expect(
      code { try test.store.query(Note.self).where(\.$text == "x").delete() } == .stillReferenced)
    #expect(try test.store.query(Note.self).count() == 2)
    #expect(try test.store.query(Letter.self).where(\.$note.$text == "x").delete() == 1)
    #expect(try test.store.query(Note.self).where(\.$text == "x").delete() == 1)
    let tree = Branch("root")
    let leaf = Branch("leaf")
    leaf.parent = tree
    try test.store.update(contentsOf: [leaf, Branch("other")])
    #expect(try test.store.query(Branch.self).where(\.$name == "root").delete() == 1)
    #expect(try test.store.query(Branch.self).select(\.$name).all() == ["other"])
  }

  @Test func aTransactionContinuesAfterAFailedWrite() throws {
    try test.store.update(contentsOf: [Note("a", rank: 1), Note("b", rank: 2)])
    try test.store.transaction { transaction in
      try transaction.query(Note.self).where(\.$rank == 1).update(set: \.$text, to: "first")
      #expect(code { try transaction.query(Note.self).update(set: \.$rank, to: 5) } == .notUnique)
      #expect(try transaction.query(Note.self).where(\.$text == "first").count() == 1)
    }
    #expect(try test.store.query(Note.self).where(\.$text == "first").count() == 1)
  }

  @Test func aSnapshotIsQueriedSeparately() throws {
    let old = MagicQuery(Resident.self).where(\.$age > 30)
    let counts = try test.store.read { snapshot in
      [try snapshot.query(Resident.self).count(), try old.bound(to: snapshot).count()]
    }
    #expect(counts == [4, 2])
  }
}

struct Branch: MagicObject {
  @MagicValue var name: String = ""
  @OptionMagicValue(.onDelete(.cascade)) var parent: Branch?

  init() {}

  init(_ name: String) { self.name = name }
}
