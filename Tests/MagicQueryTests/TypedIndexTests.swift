import EngineConformance
import MagicQuery
import MagicTestSupport
import SQLiteStore
import Testing

private struct Guest: MagicObject {
  static let byName = MagicTypedIndex(\Guest.$last, \Guest.$first, \Guest.$age)
  static let byNick = MagicTypedIndex(\Guest.$nick, \Guest.$age)
  static let byAge = MagicTypedIndex(\Guest.$age)
  static let undeclared = MagicTypedIndex(\Guest.$first, \Guest.$last)

  static var indexes: [MagicIndex<Guest>] { [byName.index, byNick.index] }

  @MagicValue var last: String = ""
  @MagicValue var first: String = ""
  @MagicValue(.indexed) var age: Int = 0
  @OptionMagicValue var nick: String?

  init() {}
  init(_ last: String, _ first: String, _ age: Int, nick: String? = nil) {
    self.last = last
    self.first = first
    self.age = age
    self.nick = nick
  }
}

/// Reads through indexes with types.
@Suite(.everyEngine) struct TypedIndexTests {
  private func guests() throws -> MagicQuery<Guest, MagicObjectStore> {
    let store = try MagicObjectStore.onTestedEngine(.temporary)
    try store.update(contentsOf: [
      Guest("Dallas", "Zoe", 3), Guest("Dallas", "Max", 9, nick: "m"), Guest("Dallas", "Max", 4),
      Guest("Abel", "Nia", 7, nick: "n"), Guest("Dallas", "Abe", 5, nick: "m"),
    ])
    return store.query(Guest.self)
  }

  private func ages(_ query: MagicQuery<Guest, MagicObjectStore>) throws -> [Int] {
    try query.all().map(\.age)
  }

  @Test func aPrefixOfTheColumnsIsCompared() throws {
    let guests = try guests()
    #expect(try ages(guests.using(\.byName) { $0.equal("Dallas") }) == [5, 4, 9, 3])
    #expect(try ages(guests.using(\.byName) { $0.equal("Dallas").equal("Max") }) == [4, 9])
    #expect(try ages(guests.using(\.byName) { $0.equal("Dallas").equal("Max").equal(9) }) == [9])
    #expect(try ages(guests.using(\.byName) { $0.equal("Nobody") }) == [])
  }

  @Test func oneRangeFollowsTheEqualColumns() throws {
    let guests = try guests()
    #expect(try ages(guests.using(\.byName) { $0.equal("Dallas").greater(than: "Max") }) == [3])
    #expect(try ages(guests.using(\.byName) { $0.equal("Dallas").atLeast("Max") }) == [4, 9, 3])
    #expect(try ages(guests.using(\.byName) { $0.equal("Dallas").less(than: "Max") }) == [5])
    #expect(try ages(guests.using(\.byName) { $0.equal("Dallas").atMost("Max") }) == [5, 4, 9])
    #expect(
      try ages(guests.using(\.byName) { $0.equal("Dallas").within("A"..."Max") }) == [5, 4, 9])
    #expect(try ages(guests.using(\.byName) { $0.equal("Dallas").within("A"..<"Max") }) == [5])
    #expect(try ages(guests.using(\.byName) { $0.equal("Dallas").hasPrefix("M") }) == [4, 9])
    #expect(
      try ages(guests.using(\.byName) { $0.equal("Dallas").equal("Max").greater(than: 4) }) == [9])
    #expect(try ages(guests.using(\.byAge) { $0.within(4...7) }) == [4, 5, 7])
  }

  @Test func objectsHaveTheOrderOfTheIndex() throws {
    let guests = try guests()
    #expect(try ages(guests.using(\.byName)) == [7, 5, 4, 9, 3])
    #expect(try ages(guests.using(\.byName, .descending)) == [3, 9, 4, 5, 7])
    let last = guests.using(\.byName, .descending) { $0.equal("Dallas") }.limit(2)
    #expect(try ages(last) == [3, 9])
    #expect(try ages(guests.order(by: \.$age).using(\.byName)) == [7, 5, 4, 9, 3])
    #expect(try ages(guests.where(\.$age > 4).using(\.byName) { $0.equal("Dallas") }) == [5, 9])
    #expect(try guests.using(\.byName) { $0.equal("Dallas") }.count() == 4)
  }

  @Test func nilIsComparedInAnOptionalColumn() throws {
    let guests = try guests()
    #expect(try ages(guests.using(\.byNick) { $0.equal(nil) }) == [3, 4])
    #expect(try ages(guests.using(\.byNick) { $0.equal("m").less(than: 9) }) == [5])
    #expect(try ages(guests.using(\.byNick) { $0.greater(than: "m") }) == [7])
    #expect(try ages(guests.using(\.byNick) { $0.atMost("m") }) == [5, 9])
    #expect(try ages(guests.using(\.byNick) { $0.within("m"..."n") }) == [5, 9, 7])
    #expect(try ages(guests.using(\.byNick) { $0.hasPrefix("n") }) == [7])
  }

  @Test func anIndexThatTheTypeDoesNotDeclareIsAnError() throws {
    let error = #expect(throws: MagicError.self) {
      try guests().using(\.undeclared) { $0.equal("x") }.all()
    }
    #expect(error?.code == .invalidQuery)
    #expect(
      error?.message
        == "The type does not declare the index that the query uses. Add the index to `static var "
        + "indexes` of Guest: [theIndex.index].")
  }
}

/// The plans of reads through indexes.
@Suite struct TypedIndexPlanTests {
  private func plan(
    _ build: (MagicQuery<Guest, MagicObjectStore>) -> MagicQuery<Guest, MagicObjectStore>
  ) throws -> String {
    let store = try MagicObjectStore.open(.temporary)
    try store.update(Guest("Dallas", "Max", 4))
    return "\(try build(store.query(Guest.self)).explain())"
  }

  @Test func theIndexIsSearchedWithoutSorting() throws {
    for direction in [MagicOrder.ascending, .descending] {
      let plans = [
        try plan { $0.using(\.byName, direction) { $0.equal("Dallas").greater(than: "M") } },
        try plan { $0.using(\.byName, direction) { $0.equal("Dallas") }.limit(3) },
        try plan { $0.using(\.byNick, direction) { $0.equal("m").within(1...3) } },
        try plan { $0.using(\.byNick, direction) { $0.equal(nil) } },
        try plan { $0.using(\.byAge, direction) { $0.atLeast(3) } },
      ]
      for plan in plans {
        #expect(plan.contains("SEARCH"), "\(plan)")
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
      }
      let all = try plan { $0.using(\.byName, direction) }
      #expect(all.contains("INDEX") && !all.contains("TEMP B-TREE"), "\(all)")
    }
  }
}
