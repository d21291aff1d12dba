import EngineConformance
import MagicData
import MagicQuery
import SQLiteStore
import Testing

private struct Fruit: MagicObject {
  @MagicValue var name: String = ""
  @OptionMagicValue var weight: Int?

  init() {}
  init(_ name: String, _ weight: Int? = nil) { (self.name, self.weight) = (name, weight) }
}

private struct Cake: MagicObject {
  @MagicValue var title: String = ""
  @MagicValue var weight: Int = 0

  init() {}
  init(_ title: String, _ weight: Int = 0) { (self.title, self.weight) = (title, weight) }
}

/// Set operations on selected values.
@Suite(.everyEngine, .requires(.combinations)) struct CombinedSelectionTests {
  private let test: TestStore
  private let fruits: MagicQuery<Fruit, MagicObjectStore>
  private let cakes = MagicQuery(Cake.self)

  init() throws {
    test = try TestStore()
    try test.store.update(contentsOf: [
      Fruit("apple", 3), Fruit("pear", 2), Fruit("apple", 3), Fruit("fig"),
    ])
    try test.store.update(contentsOf: [Cake("apple", 3), Cake("nut", 9), Cake("nut", 9)])
    fruits = test.store.query(Fruit.self)
  }

  @Test func eachRowOccursOnce() throws {
    let names = fruits.select(\.$name)
    let titles = cakes.select(\.$title)
    #expect(try names.union(titles).order(.ascending).all() == ["apple", "fig", "nut", "pear"])
    #expect(try names.intersect(titles).all() == ["apple"])
    #expect(try names.except(titles).order(.descending).all() == ["pear", "fig"])
    #expect(try names.union(titles).count() == 4)
    #expect(try names.union(titles).order(.descending).first() == "pear")
    #expect(try names.union(titles).order(.ascending).limit(2).all() == ["apple", "fig"])
  }

  @Test func operationsAreAppliedFromLeftToRight() throws {
    let figs = MagicQuery(Fruit.self).where(\.$name == "fig").select(\.$name)
    let rows = fruits.select(\.$name).union(cakes.select(\.$title)).intersect(figs)
    #expect(try rows.all() == ["fig"])
    let other = fruits.select(\.$name).except(figs).union(cakes.select(\.$title)).except(
      cakes.where(\.$weight == 3).select(\.$title))
    #expect(try other.order(.ascending).all() == ["nut", "pear"])
  }

  @Test func tuplesAreComparedInAllColumns() throws {
    let rows = fruits.select { ($0.$name, $0.$weight ?? 0) }
      .union(cakes.select(\.$title, \.$weight))
      .order(byColumn: 1, .descending).order(byColumn: 0)
    #expect(try rows.all().map { "\($0.0)\($0.1)" } == ["nut9", "apple3", "pear2", "fig0"])
    let error = #expect(throws: MagicError.self) { try rows.order(byColumn: 2).all() }
    #expect(error?.code == .invalidQuery)
  }

  @Test func eachSelectionKeepsItsLimitAndItsValues() throws {
    let light = fruits.where(\.$weight < 3).order(by: \.$name).limit(1).select(\.$name)
    let heavy = cakes.where(\.$weight > 5).order(by: \.$title, .descending).limit(1).select(
      \.$title)
    #expect(try light.union(heavy).order(.ascending).all() == ["nut", "pear"])
    let some = cakes.where { $0.$title.in(["apple", "nut"]) }.select(\.$title)
    #expect(try fruits.where { $0.$name.in(["fig"]) }.select(\.$name).union(some).count() == 3)
  }

  @Test func groupsAreCombined() throws {
    let counts = fruits.grouped(by: \.$name).select { $0.count }
    let others = cakes.grouped(by: \.$title).select { $0.count }
    let rows = try counts.union(others).order(.ascending).all()
    #expect(
      rows.map { "\($0.key) \($0.value)" }
        == ["apple 1", "apple 2", "fig 1", "nut 2", "pear 1"])
    #expect(try counts.intersect(others).count() == 0)
  }

  @Test func nilEqualsNil() throws {
    let weights = fruits.select(\.$weight)
    #expect(try weights.intersect(MagicQuery(Fruit.self).select(\.$weight)).count() == 3)
    #expect(try weights.except(MagicQuery(Fruit.self).select(\.$weight)).all().isEmpty)
  }

  @Test func aTypeThatWasNeverSavedHasNoRows() throws {
    let empty = try TestStore()
    try empty.store.update(Cake("x"))
    let names = empty.store.query(Fruit.self).select(\.$name)
    #expect(try names.union(cakes.select(\.$title)).all() == ["x"])
    #expect(try names.intersect(cakes.select(\.$title)).all().isEmpty)
  }

  @Test func mistakesAreRefused() throws {
    let names = fruits.select(\.$name)
    let titles = cakes.select(\.$title)
    for rows in [
      names.union(titles).order(.ascending).union(titles), names.union(titles).limit(-1),
      names.union(cakes.limit(-1).select(\.$title)),
    ] {
      let error = #expect(throws: MagicError.self) { try rows.all() }
      #expect(error?.code == .invalidQuery)
    }
  }
}
