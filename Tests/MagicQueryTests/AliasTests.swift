import EngineConformance
import MagicQuery
import Testing

/// Types whose tables have the names of aliases in queries.
struct T0: MagicObject {
  @MagicValue var n: Int = 0
  /// Has the name of an argument of the function whose rows are the elements.
  @MagicValue var json: [Int] = []
  @ReverseMagicValue(\T1.$parent) var children: AsyncReverseMagicSet<T1>

  init() {}
}

struct T1: MagicObject {
  @OptionMagicValue var n: Int?
  @OptionMagicValue var parent: T0?

  init() {}
}

struct Part: MagicObject {
  static var tableName: String { "part" }
  @MagicValue var n: Int = 0

  init() {}
}

@Suite(.everyEngine) struct AliasTests {
  @Test func anUpdateOfATableNamedLikeARowCountsItsMembers() throws {
    let test = try TestStore()
    let (a, b) = (T0(), T0())
    let children = (0..<3).map { _ in T1() }
    for (child, parent) in zip(children, [b, b, a]) { child.parent = parent }
    try test.store.update(contentsOf: [a, b])
    try test.store.update(contentsOf: children)
    try test.store.query(T0.self).update(set: .set(\.$n, to: { $0.$children.count }))
    #expect(try test.store.query(T0.self).order { $0.zIndex }.select(\.$n).all() == [1, 2])
    try test.store.query(T1.self).update(set: .set(\.$n, to: { $0.$parent.$n }))
    #expect(try test.store.query(T1.self).order { $0.zIndex }.select(\.$n).all() == [2, 2, 1])
  }

  @Test func rowsOfATableNamedLikeARowAreFoundByTheirMembers() throws {
    let test = try TestStore()
    let (a, b) = (T0(), T0())
    let children = (0..<3).map { _ in T1() }
    for (child, parent) in zip(children, [b, b, a]) { child.parent = parent }
    try test.store.update(contentsOf: children)
    let query = test.store.query(T0.self)
    #expect(try query.where { $0.$children.count == 2 }.update(set: \.$n, to: 5) == 1)
    #expect(try query.order { $0.zIndex }.select(\.$n).all().sorted() == [0, 5])
    #expect(try test.store.query(T1.self).where { $0.$parent.$n == 5 }.delete() == 2)
    #expect(try query.where { $0.$children.count == 0 && $0.$n > 4 }.delete() == 1)
    #expect(try query.select(\.$n).all() == [0])
  }

  @Test func rowsOfATableNamedLikeARowAreWrittenByTheirElements() throws {
    let test = try TestStore()
    let (a, b, c) = (T0(), T0(), T0())
    (a.json, b.json, c.json) = ([1, 2], [3], [])
    try test.store.update(contentsOf: [a, b, c])
    let query = test.store.query(T0.self)
    #expect(try query.where { $0.$json.contains { $0 == 2 } }.update(set: \.$n, to: 7) == 1)
    #expect(try query.order { $0.zIndex }.select(\.$n).all() == [7, 0, 0])
    #expect(try query.update(set: .set(\.$n, to: { $0.$json.count { $0 > 0 } })) == 3)
    #expect(try query.order { $0.zIndex }.select(\.$n).all() == [2, 1, 0])
    #expect(try query.where { $0.$json.contains { $0 == 3 } }.delete() == 1)
    #expect(try query.order { $0.zIndex }.select(\.$n).all() == [2, 0])
  }

  @Test func anAggregateOfAPartIsOfATableNamedPartToo() throws {
    let test = try TestStore()
    try test.store.update(contentsOf: [Part(), Part()])
    #expect(try test.store.query(Part.self).limit(1).sum { $0.$n + 2 } == 2)
  }
}
