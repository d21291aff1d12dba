import EngineConformance
import Foundation
import MagicData
import MagicQuery
import Testing

@Suite(.everyEngine) struct RelationshipTests {
  let test: TestStore
  let homes: [Home]
  let ada: Resident

  /// Ada and Ben live in Elm Street, which Ada owns; Cleo lives in Oak Street, Dora has none. Ada's
  /// friends are Ben and Cleo.
  init() throws {
    test = try TestStore.ofResidents()
    let all = try test.store.query(Resident.self).order(by: \.$name).all()
    homes = [Home("Elm"), Home("Oak")]
    homes[0].owner = all[0]
    homes[0].members = [all[0], all[1], all[1]]
    homes[1].members = [all[2]]
    all[0].home = homes[0]
    all[1].home = homes[0]
    all[2].home = homes[1]
    all[0].friends = [all[1], all[2]]
    all[3].rooms = ["here": homes[0], "there": homes[1]]
    try test.store.update(contentsOf: homes)
    try test.store.update(contentsOf: all)
    ada = all[0]
  }

  @Test func aRequiredToOneIsAJoin() throws {
    try test.store.update(contentsOf: [
      Letter("a", Note("x", rank: 1)), Letter("b", Note("y", rank: 2), reply: Note("z", rank: 3)),
    ])
    let query = MagicQuery(Letter.self).where(\.$note.$text == "y" && \.$note.$rank > 1)
    #expect(
      try query.sql
        == "SELECT t0.\"z_index\", t0.\"title\", t0.\"note\", t0.\"reply\" FROM \"Letter\" AS t0 "
        + "JOIN \"Note\" AS t1 ON t1.\"z_index\" = t0.\"note\" "
        + "WHERE t1.\"text\" = ?1 AND t1.\"rank\" > ?2")
    #expect(try query.bound(to: test.store).all().map(\.title) == ["b"])
    let letters = test.store.query(Letter.self)
    #expect(try letters.order(by: \.$note.$text, .descending).all().map(\.title) == ["b", "a"])
    #expect(try letters.where(\.$reply.$text == nil).all().map(\.title) == ["a"])
    #expect(try letters.where(\.$reply.$text != "z").all().map(\.title) == ["a"])
    #expect(try letters.where(\.$reply.$rank < 9).all().map(\.title) == ["b"])
    #expect(try letters.where { $0.$reply == nil }.all().map(\.title) == ["a"])
    #expect(try letters.where { $0.$reply.$mark == nil }.count() == 2)
  }

  @Test func anOptionalToOneChangesEveryColumnToOptional() throws {
    let query = MagicQuery(Resident.self).where(\.$home.$street != "Elm")
    #expect(
      try query.sql.hasSuffix(
        "FROM \"Resident\" AS t0 LEFT JOIN \"Home\" AS t1 ON t1.\"z_index\" = t0.\"home\" "
          + "WHERE t1.\"street\" IS NOT ?1"))
    #expect(
      try query.bound(to: test.store).order(by: \.$name).all().map(\.name) == ["Cleo", "Dora"])
    let owned = test.store.query(Resident.self).where(\.$home.$owner.$name == "Ada")
    #expect(try owned.order(by: \.$name).all().map(\.name) == ["Ada", "Ben"])
    #expect(try owned.where { $0.$home.$street.hasPrefix("O") }.count() == 0)
  }

  @Test func objectsAreComparedByTheirRows() throws {
    try test.expect(\.$home == homes[0], "t0.\"home\" IS ?1", ["Ada", "Ben"])
    try test.expect(\.$home != homes[0], "t0.\"home\" IS NOT ?1", ["Cleo", "Dora"])
    try test.expect(\.$home == nil, "t0.\"home\" IS NULL", ["Dora"])
    try test.expect({ $0.$home.in(homes) }, "t0.\"home\" IN (?1, ?2)", ["Ada", "Ben", "Cleo"])
    let number = try #require(ada.zIndex)
    try test.expect({ $0.zIndex == number }, "t0.\"z_index\" = ?1", ["Ada"])
    try test.expect({ $0.zIndex > number }, "t0.\"z_index\" > ?1", ["Ben", "Cleo", "Dora"])
  }

  @Test func anUnsavedObjectIsAnError() throws {
    let query = test.store.query(Resident.self).where(\.$home == Home("new"))
    #expect(code { try query.all() } == .notSaved)
    let other = try TestStore()
    let home = Home("there")
    try other.store.update(home)
    #expect(
      code { try test.store.query(Resident.self).where(\.$home == home).count() } == .notSaved)
    #expect(
      code { try test.store.query(Home.self).where { $0.$members.contains(Resident("new")) }.all() }
        == .notSaved)
  }

  @Test func anObjectSavedInATransactionCanBeComparedInIt() throws {
    try test.store.transaction { transaction in
      let home = Home("New")
      let eve = Resident("Eve")
      eve.home = home
      try transaction.update(eve)
      #expect(
        try transaction.query(Resident.self).where(\.$home == home).all().map(\.name) == ["Eve"])
    }
  }

  private func streets(
    _ predicate: (MagicRow<Home>) -> MagicPredicate<Home>
  ) throws -> [String] {
    try test.store.query(Home.self).where(predicate).order(by: \.$street).all().map(\.street)
  }

  @Test func membersAreQueriedWithoutFetchingThem() throws {
    #expect(
      try MagicQuery(Home.self).where { $0.$members.contains { $0.$age > 30 } }.sql.hasSuffix(
        "WHERE EXISTS (SELECT 1 FROM \"magic_Home.members\" AS t1 JOIN \"Resident\" AS t2 "
          + "ON t2.\"z_index\" = t1.\"target\" WHERE t1.\"owner\" = t0.\"z_index\" "
          + "AND t2.\"age\" > ?1)"))
    #expect(try streets { $0.$members.contains { $0.$age > 30 } } == ["Elm"])
    #expect(try streets { !$0.$members.contains { $0.$age > 30 } } == ["Oak"])
    #expect(try streets { $0.$members.none { $0.$age > 30 } } == ["Oak"])
    #expect(try streets { $0.$members.allSatisfy { $0.$age < 30 } } == ["Oak"])
    #expect(try streets { $0.$members.allSatisfy { $0.$height > 1 } } == [])
    #expect(try streets { $0.$members.count == 3 } == ["Elm"])
    #expect(try streets { $0.$members.count { $0.$name == "Ben" } == 2 } == ["Elm"])
    #expect(try streets { $0.$members.isEmpty } == [])
    #expect(try streets { $0.$members.contains(ada) } == ["Elm"])
    #expect(try streets { $0.$members.contains { $0.$home.$owner.$name == "Ada" } } == ["Elm"])
    #expect(try streets { $0.$owner.$friends.contains { $0.$name == "Cleo" } } == ["Elm"])
  }

  @Test func aRowOfAnOuterQueryIsAMember() throws {
    func names(
      _ condition: (MagicRow<Resident>) -> MagicPredicate<Resident>
    ) throws -> [String] {
      try test.store.query(Resident.self).where(condition).order(by: \.$name).all().map(\.name)
    }
    let residents = MagicQuery(Resident.self)
    #expect(
      try names { one in MagicQuery(Home.self).exists { $0.$members.contains(one) } }
        == ["Ada", "Ben", "Cleo"])
    #expect(
      try names { one in residents.exists { $0.$friends.contains(one) } } == ["Ben", "Cleo"])
    #expect(
      try names { one in residents.exists { $0.$rooms.contains { $0.$members.contains(one) } } }
        == ["Ada", "Ben", "Cleo"])
    #expect(
      try names { one in !residents.exists { $0.$friends.contains(one) } } == ["Ada", "Dora"])
  }

  @Test func dictionariesAndSetsHaveMembers() throws {
    try test.expect(
      { $0.$rooms.count == 2 },
      "(SELECT count(*) FROM \"magic_Resident.rooms\" AS t1 WHERE t1.\"owner\" = t0.\"z_index\") = ?1",
      ["Dora"])
    try test.expect(
      { $0.$friends.isEmpty && $0.$rooms.isEmpty },
      "NOT EXISTS (SELECT 1 FROM \"magic_Resident.friends\" AS t1 "
        + "WHERE t1.\"owner\" = t0.\"z_index\") AND "
        + "NOT EXISTS (SELECT 1 FROM \"magic_Resident.rooms\" AS t2 "
        + "WHERE t2.\"owner\" = t0.\"z_index\")", ["Ben", "Cleo"])
  }

  @Test func inverseRelationshipsHaveMembersToo() throws {
    try test.expect(
      { $0.$homes.count == 1 },
      "(SELECT count(DISTINCT t1.\"owner\") FROM \"magic_Home.members\" AS t1 "
        + "WHERE t1.\"target\" = t0.\"z_index\") = ?1", ["Ada", "Ben", "Cleo"])
    try test.expect(
      { $0.$fans.contains { $0.$age == 36 } },
      "EXISTS (SELECT 1 FROM \"magic_Resident.friends\" AS t1 JOIN \"Resident\" AS t2 "
        + "ON t2.\"z_index\" = t1.\"owner\" WHERE t1.\"target\" = t0.\"z_index\" "
        + "AND t2.\"age\" = ?1)", ["Ben", "Cleo"])
    #expect(try streets { $0.$residents.count == 2 } == ["Elm"])
    #expect(try streets { $0.$residents.contains { $0.$name == "Cleo" } } == ["Oak"])
    #expect(try streets { $0.$residents.contains(ada) } == ["Elm"])
    #expect(try streets { $0.$residents.allSatisfy { $0.$age < 30 } } == ["Oak"])
  }

  @Test func aClosureCanUseTheRowsOfOuterClosures() throws {
    let older = test.store.query(Resident.self).where { person in
      person.$friends.contains { $0.$age < person.$age }
    }
    #expect(try older.all().map(\.name) == ["Ada"])
    let younger = test.store.query(Resident.self).where { person in
      person.$friends.contains { $0.$age > person.$age }
    }
    #expect(try younger.count() == 0)
    let deep = test.store.query(Resident.self).where { person in
      person.$friends.contains { friend in
        friend.$fans.contains { $0.$name == person.$name && $0.$age > friend.$age }
      }
    }
    #expect(try deep.all().map(\.name) == ["Ada"])
  }

  @Test func aTypeWithoutATableHasNoRows() throws {
    let empty = try TestStore()
    #expect(try empty.store.query(Home.self).all().isEmpty)
    #expect(try empty.store.query(Home.self).count() == 0)
    #expect(try empty.store.query(Home.self).delete() == 0)
    #expect(try empty.store.query(Home.self).update(set: \.$street, to: "x") == 0)
    #expect(try empty.store.query(Note.self).sum(\.$rank) == 0)
    #expect(try empty.store.query(Note.self).max(\.$rank) == nil)
    #expect(try empty.store.query(Note.self).select(\.$rank).all().isEmpty)
  }
}

/// The code of the error that the body throws.
func code(_ body: () throws -> some Any) -> MagicError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? MagicError)?.code
  }
}
