import EngineConformance
import Foundation
import MagicData
import MagicQuery
import SQLiteStore
import Testing

private struct Chore: MagicObject {
  @MagicValue var title: String = ""
  @MagicValue var due: Int = 0
  @MagicValue var price: Int = 0
  @MagicValue var isDone: Bool = false
  @MagicValue var isUrgent: Bool = false
  @MagicValue(.indexed) var isShared: Bool = false
  @MagicValue var tags: [String] = []
  @MagicValue var steps: [Chore] = []

  static var indexes: [MagicIndex<Chore>] {
    [
      MagicIndex { $0.$price + 7 },
      MagicIndex(\.$due, where: { $0.$isDone == false }),
      MagicIndex(\.$price, where: { $0.$isDone == true }),
      MagicIndex(\.$title, where: { $0.$isUrgent && $0.$price > 3 }),
    ]
  }

  init() {}
  init(_ title: String, price: Int, isDone: Bool = false, isUrgent: Bool = false) {
    (self.title, self.price, self.isDone) = (title, price, isDone)
    self.isUrgent = isUrgent
  }
}

private struct House: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var size: Int = 0
  @MagicValue var chores: [Chore] = []

  init() {}
}

/// Constants of indexes in any part of a query, and properties that are conditions by themselves.
@Suite struct IndexConstantTests {
  private let store: MagicObjectStore

  init() throws {
    store = try MagicObjectStore.open(.temporary)
    let house = House()
    house.name = "h"
    house.size = 10
    let chores = [
      Chore("a", price: 3), Chore("b", price: 4, isDone: true),
      Chore("c", price: 5, isUrgent: true),
      Chore("d", price: 3, isDone: true, isUrgent: true),
    ]
    chores[0].tags = ["x", "y"]
    chores[0].steps = [Chore("e", price: 3)]
    chores[2].isShared = true
    house.chores = chores
    try store.update(house)
  }

  private var chores: MagicQuery<Chore, MagicObjectStore> { store.query(Chore.self) }

  private func expect(
    _ query: MagicQuery<Chore, MagicObjectStore>, uses index: String, finds titles: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let plan = try query.explain()
    let used = plan.allSteps.compactMap(\.index)
    #expect(used.contains("Chore(\(index)"), "\(plan)", sourceLocation: sourceLocation)
    #expect(plan.allSteps[0].access == .search, sourceLocation: sourceLocation)
    #expect(
      try query.all().map(\.title).sorted().joined() == titles, sourceLocation: sourceLocation)
  }

  @Test func aPropertyIsTheConditionOfItsPartialIndex() throws {
    try expect(
      chores.where { !$0.$isDone && $0.$due < 5 }, uses: #"due) where "isDone" = 0"#, finds: "ace")
    try expect(
      chores.where { $0.$isDone && $0.$price > 3 }, uses: #"price) where "isDone" = 1"#, finds: "b")
    try expect(
      chores.where { $0.$isUrgent && $0.$price > 3 && $0.$title > "" },
      uses: #"title) where "isUrgent" AND ("price" > 3)"#, finds: "c")
    try expect(chores.where(\.$isShared), uses: "isShared)", finds: "c")
    #expect(try chores.where { !$0.$isShared }.count() == 4)
    #expect(try chores.where { !($0.$isDone || $0.$isUrgent) }.count() == 2)
    #expect(try chores.where { !$0.$isUrgent }.count() == 3)
    #expect(try chores.select { !$0.$isDone }.all().filter { $0 }.count == 3)
  }

  @Test func constantsAreFoundBesideOtherConditions() throws {
    let index = #""price" + 7)"#
    try expect(
      chores.where { $0.$steps.contains { $0.$due < 5 } && $0.$price + 7 == 10 }, uses: index,
      finds: "a")
    try expect(
      chores.where { $0.$tags.contains { $0 == "y" } && $0.$price + 7 == 10 }, uses: index,
      finds: "a")
    try expect(
      chores.where { chore in
        MagicQuery(House.self).where { $0.$size > chore.$due.outer() && $0.$name == "h" }.limit(1)
          .exists()
          && chore.$price + 7 == 10
      }, uses: index, finds: "ade")
    try expect(
      chores.where { .sql("title <> \("d")") && $0.$price + 7 == 10 }, uses: index, finds: "ae")
  }

  @Test func constantsAreFoundInASubqueryOfTheType() throws {
    let houses = store.query(House.self).where { house in
      MagicQuery(Chore.self).where { $0.$due < house.$size.outer() && $0.$price + 7 == 11 }.exists()
    }
    let plan = try houses.explain()
    #expect(plan.allSteps.contains { $0.index == #"Chore("price" + 7)"# }, "\(plan)")
    #expect(try houses.count() == 1)
    let others = store.query(House.self).where { house in
      MagicQuery(Chore.self).where { $0.$due < house.$size.outer() && $0.$price + 7 == 99 }.exists()
    }
    #expect(try others.count() == 0)
    #expect(
      try store.query(House.self).where { $0.$chores.contains { $0.$price + 7 == 11 } }.explain()
        .sql.contains("+ 7"))
  }

  @Test func theDepthOfARowIsNotIndexed() throws {
    let error = #expect(throws: MagicError.self) { try store.query(Limb.self).all() }
    #expect(error?.message.contains("depth") == true, "\(error?.message ?? "")")
  }
}

private struct Limb: MagicObject {
  @MagicValue var name: String = ""

  static var indexes: [MagicIndex<Limb>] { [MagicIndex { $0.depth + 1 }] }

  init() {}
}
