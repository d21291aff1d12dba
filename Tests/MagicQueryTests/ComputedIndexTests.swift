import EngineConformance
import Foundation
import MagicData
import MagicQuery
import MagicTestSupport
import SQLiteStore
import Testing

private enum State: String, Magical {
  case open, waiting, done
}

private struct Ticket: MagicObject {
  @MagicValue var title: String = ""
  @OptionMagicValue var note: String?
  @MagicValue var state: State = .open
  @MagicValue var price: Int = 0
  @MagicValue var quantity: Int = 0
  @OptionMagicValue var weight: Double?
  @MagicValue var due: Date = Date(timeIntervalSinceReferenceDate: 0)

  static var indexes: [MagicIndex<Ticket>] {
    [
      MagicIndex { $0.$title.asciiLowercased() },
      MagicIndex { $0.$note.asciiLowercased() },
      MagicIndex { ($0.$state, $0.$price * $0.$quantity) },
      MagicIndex { $0.$price + 7 },
      MagicIndex { abs($0.$quantity - 100) },
      MagicIndex { $0.$note ?? "none" },
      MagicIndex { $0.$title + "!" },
      MagicIndex { $0.$title.replacing("a", with: "b'c") },
      MagicIndex { $0.$price.as(Double.self) },
      MagicIndex { $0.$weight * 2.5 },
      MagicIndex { MagicExpression.when($0.$price > 10, then: "dear", else: "cheap") },
      MagicIndex(\.$due, where: { $0.$state != .done }),
      MagicIndex(\.$title, where: { $0.$state == .waiting || $0.$price < -5 }),
    ]
  }

  init() {}
  init(
    _ title: String, _ state: State = .open, price: Int = 0, quantity: Int = 1,
    note: String? = nil
  ) {
    self.title = title
    self.state = state
    self.price = price
    self.quantity = quantity
    self.note = note
  }
}

/// The use of indexes over expressions and of partial indexes.
@Suite struct ComputedIndexPlanTests {
  private let store: MagicObjectStore

  init() throws {
    store = try MagicObjectStore.onTestedEngine(.temporary)
    try store.update(contentsOf: [
      Ticket("Fix", price: 3, quantity: 5),
      Ticket("fix", .waiting, price: 3, quantity: 95, note: "A"),
      Ticket("Sea", .done, price: 20), Ticket("Map", price: -9, note: "none"),
    ])
  }

  private var tickets: MagicQuery<Ticket, MagicObjectStore> { store.query(Ticket.self) }

  private func expect(
    _ query: MagicQuery<Ticket, MagicObjectStore>, searches index: String, finds titles: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let step = try query.explain().steps[0]
    #expect(step.access == .search, sourceLocation: sourceLocation)
    #expect(step.index == "Ticket(\(index)", sourceLocation: sourceLocation)
    #expect(try query.all().map(\.title).sorted() == titles, sourceLocation: sourceLocation)
    #expect(try query.count() == titles.count, sourceLocation: sourceLocation)
  }

  @Test func aQueryWithTheExpressionSearchesItsIndex() throws {
    try expect(
      tickets.where { $0.$title.asciiLowercased() == "fix" }, searches: #"lower("title"))"#,
      finds: ["Fix", "fix"])
    try expect(
      tickets.where { $0.$note.asciiLowercased() == "a" }, searches: #"lower("note"))"#,
      finds: ["fix"])
    try expect(
      tickets.where { $0.$state == .open && $0.$price * $0.$quantity > 10 },
      searches: #""state", "price" * "quantity")"#, finds: ["Fix"])
  }

  @Test func aQueryWithTheSameConstantsSearchesTheIndex() throws {
    try expect(
      tickets.where { $0.$price + 7 == 10 }, searches: #""price" + 7)"#, finds: ["Fix", "fix"])
    try expect(
      tickets.where { abs($0.$quantity - 100) < 10 }, searches: #"abs("quantity" - 100))"#,
      finds: ["fix"])
    try expect(
      tickets.where { ($0.$note ?? "none") == "none" }, searches: #"ifnull("note", 'none'))"#,
      finds: ["Fix", "Map", "Sea"])
    try expect(
      tickets.where { $0.$title + "!" == "Sea!" }, searches: #""title" || '!')"#, finds: ["Sea"])
    try expect(
      tickets.where { $0.$title.replacing("a", with: "b'c") == "Mb'cp" },
      searches: #"replace("title", 'a', 'b''c'))"#, finds: ["Map"])
    try expect(
      tickets.where { $0.$price.as(Double.self) > 3.5 }, searches: #"CAST("price" AS REAL))"#,
      finds: ["Sea"])
    try expect(tickets.where { $0.$weight * 2.5 > 1 }, searches: #""weight" * 2.5)"#, finds: [])
    try expect(
      tickets.where { MagicExpression.when($0.$price > 10, then: "dear", else: "cheap") == "dear" },
      searches: #"CASE WHEN "price" > 10 THEN 'dear' ELSE 'cheap' END)"#, finds: ["Sea"])
  }

  @Test func otherConstantsHaveTheirOwnResults() throws {
    for _ in 0..<3 {
      #expect(try tickets.where { $0.$price + 7 == 10 }.count() == 2)
      #expect(try tickets.where { $0.$price + 8 == 11 }.count() == 2)
      #expect(try tickets.where { $0.$price + 8 == 10 }.count() == 0)
      #expect(try tickets.where { $0.$title + "?" == "Sea?" }.count() == 1)
      #expect(try tickets.where { $0.$title + "!" == "Sea?" }.count() == 0)
    }
    #expect(try tickets.where { $0.$price + 8 == 11 }.explain().steps[0].access == .scan)
  }

  @Test func anExpressionIsOrderedByItsIndex() throws {
    let plan = try tickets.order { $0.$title.asciiLowercased() }.explain()
    #expect(plan.allSteps.allSatisfy { !$0.usesTemporaryTree })
    #expect(plan.steps[0].index == #"Ticket(lower("title"))"#)
    let sums = try tickets.order { $0.$price + 7 }.explain()
    #expect(sums.allSteps.allSatisfy { !$0.usesTemporaryTree })
    #expect(try tickets.order { $0.$price + 7 }.all().map(\.price) == [-9, 3, 3, 20])
    #expect(try tickets.select { $0.$price + 7 }.all().sorted() == [-2, 10, 10, 27])
  }

  @Test func aPartialIndexIsUsedIfTheQueryHasItsPredicate() throws {
    let soon = Date(timeIntervalSinceReferenceDate: 60)
    try expect(
      tickets.where { $0.$state != .done && $0.$due < soon },
      searches: #"due) where "state" <> 'done'"#, finds: ["Fix", "Map", "fix"])
    let waiting = tickets.where { $0.$title == "fix" && $0.$state == .waiting }
    try expect(
      waiting, searches: #"title) where ("state" = 'waiting') OR ("price" < (-5))"#, finds: ["fix"])
    try expect(
      tickets.where { $0.$title == "Map" && $0.$price < -5 },
      searches: #"title) where ("state" = 'waiting') OR ("price" < (-5))"#, finds: ["Map"])
    #expect(try tickets.where { $0.$due < soon }.explain().steps[0].index == nil)
    #expect(
      try tickets.where { $0.$state != .open && $0.$due < soon }.explain().steps[0].index == nil)
    #expect(try tickets.where { $0.$state != .open && $0.$due < soon }.count() == 2)
  }

  @Test func literalsAndListsAndParametersAreCombined() throws {
    let query = tickets.where {
      $0.$title.in(["Fix", "fix", "Map"]) && $0.$price + 7 == 10 && $0.$quantity > 3
        && $0.$state.in([.open, .done]) && $0.$title.hasSuffix("x")
    }
    #expect(try query.all().map(\.title) == ["Fix"])
    // The last value is a literal, so its parameter does not exist.
    #expect(try tickets.where { $0.$quantity == 5 && $0.$state != .done }.count() == 1)
    #expect(try tickets.where { $0.$price + 7 == 10 }.limit(1).all().count == 1)
    try tickets.where { $0.$price + 7 == 10 }.update(set: \.$price += 1)
    #expect(try tickets.where { $0.$price + 7 == 11 }.count() == 2)
    #expect(try tickets.where { $0.$price + 7 == 11 }.delete() == 2)
  }

  @Test func theAdviceIgnoresPartialIndexes() throws {
    let plan = try tickets.where { $0.$due == Date.now }.explain()
    #expect(plan.suggestions.map(\.declaration) == ["@MagicValue(.indexed) var due"])
  }

  @Test func theDatabaseIsValid() throws {
    #expect(try store.verify().findings == [])
    let count = store.sql("SELECT count(*) FROM sqlite_master WHERE name LIKE 'Ticket(%'")
    #expect(try count.value(Int.self) == 13)
  }
}

private struct Account: MagicObject {
  @MagicValue var email: String = ""
  @MagicValue var owner: Int = 0
  @MagicValue var isMain: Bool = false

  static var indexes: [MagicIndex<Account>] {
    [
      MagicIndex(isUnique: true) { $0.$email.asciiLowercased() },
      MagicIndex(\.$owner, isUnique: true, where: { $0.$isMain == true }),
    ]
  }

  init() {}
  init(_ email: String, _ owner: Int, isMain: Bool = false) {
    self.email = email
    self.owner = owner
    self.isMain = isMain
  }
}

/// Unique indexes over expressions, and unique partial indexes.
@Suite(.everyEngine) struct ComputedIndexTests {
  private func store() throws -> MagicObjectStore {
    let store = try MagicObjectStore.onTestedEngine(.temporary)
    try store.update(contentsOf: [
      Account("ada@x", 1, isMain: true), Account("bob@x", 1), Account("eve@x", 1),
    ])
    return store
  }

  @Test func equalValuesOfAUniqueExpressionAreRefused() throws {
    let store = try store()
    let other = Account("ADA@x", 9)
    let error = #expect(throws: MagicError.self) { try store.update(other) }
    #expect(error?.code == .notUnique)
    #expect(error?.message.contains(#"Account(lower("email")) unique"#) == true)
    #expect(error?.type == "Account")
    #expect(other.zIndex == nil)
    #expect(try store.query(Account.self).count() == 3)
    // A to Z only.
    try store.update(contentsOf: [Account("Ä@x", 7), Account("ä@x", 7)])
  }

  @Test func equalValuesAreRefusedOnlyWhereThePredicateIsTrue() throws {
    let store = try store()
    let second = Account("new@x", 1, isMain: true)
    #expect(throws: MagicError.self) { try store.update(second) }
    second.isMain = false
    try store.update(second)
    second.isMain = true
    let error = #expect(throws: MagicError.self) { try store.update(second) }
    #expect(error?.code == .notUnique)
    #expect(error?.property == "owner")
    let first = try #require(try store.query(Account.self).where(\.$email == "ada@x").first())
    first.isMain = false
    try store.update(first)
    try store.update(second)
    #expect(try store.query(Account.self).where(\.$isMain == true).all().map(\.email) == ["new@x"])
  }

  @Test func aRemovedRowFreesItsValues() throws {
    let store = try store()
    try store.query(Account.self).where(\.$email == "ada@x").delete()
    try store.update(Account("Ada@x", 1, isMain: true))
    #expect(try store.query(Account.self).count() == 3)
  }

  @Test func aFailedTransactionFreesItsValues() throws {
    let store = try store()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.transaction { transaction in
        try transaction.update(Account("zoe@x", 2, isMain: true))
        throw Stop()
      }
    }
    try store.update(Account("ZOE@x", 2, isMain: true))
  }

  @Test func theseIndexesIdentifyNoRows() throws {
    let store = try store()
    let error = #expect(throws: MagicError.self) {
      try store.update(Account("x@x", 1), matching: \.$owner)
    }
    #expect(error?.code == .invalidQuery)
    let ignored = #expect(throws: MagicError.self) {
      try store.insert(Account("ADA@x", 5), orIgnore: true)
    }
    #expect(ignored?.code == .notUnique)
  }

  @Test func asciiLowercasedChangesAToZ() throws {
    let store = try store()
    try store.update(Account("ÄZaz[@`{", 3))
    let query = store.query(Account.self).where(\.$owner == 3)
    #expect(try query.select { $0.$email.asciiLowercased() }.all() == ["Äzaz[@`{"])
  }
}

private struct Neighbour: MagicObject {
  @MagicValue var name: String = ""
  init() {}
}

/// Expressions that an index cannot contain.
@Suite(.everyEngine) struct RefusedIndexTests {
  private func refuse<Model: MagicObject>(_ type: Model.Type, _ words: String) throws {
    let store = try MagicObjectStore.onTestedEngine(.temporary)
    for _ in 0..<2 {
      let error = #expect(throws: MagicError.self) { try store.update(Model()) }
      #expect(error?.code == .invalidSchema)
      #expect(error?.message.contains(words) == true)
      #expect(throws: MagicError.self) { try store.query(Model.self).all() }
    }
  }

  @Test func functionsOfTheLibraryAreRefused() throws {
    struct Lower: MagicObject {
      @MagicValue var name: String = ""
      static var indexes: [MagicIndex<Lower>] { [MagicIndex { $0.$name.lowercased() }] }
    }
    struct Month: MagicObject {
      @MagicValue var day: Date = Date(timeIntervalSinceReferenceDate: 0)
      static var indexes: [MagicIndex<Month>] { [MagicIndex { $0.$day.startOf(.month) }] }
    }
    struct Pattern: MagicObject {
      @MagicValue var name: String = ""
      static var indexes: [MagicIndex<Pattern>] {
        [MagicIndex(\.$name, where: { $0.$name.hasSuffix("x") })]
      }
    }
    try refuse(Lower.self, "only this library computes")
    try refuse(Month.self, "only this library computes")
    try refuse(Pattern.self, "a suffix or a pattern")
  }

  @Test func otherRowsAreRefused() throws {
    struct Related: MagicObject {
      @OptionMagicValue var next: Neighbour?
      static var indexes: [MagicIndex<Related>] { [MagicIndex { $0.$next.$name }] }
    }
    struct Counted: MagicObject {
      @MagicValue var all: [Neighbour] = []
      @MagicValue var name: String = ""
      static var indexes: [MagicIndex<Counted>] {
        [MagicIndex(\.$name, where: { $0.$all.count > 1 })]
      }
    }
    try refuse(Related.self, "values of other rows")
    try refuse(Counted.self, "values of other rows")
  }

  @Test func constantsWithoutALiteralAreRefused() throws {
    struct Fraction: MagicObject {
      @MagicValue var size: Double = 0
      static var indexes: [MagicIndex<Fraction>] { [MagicIndex { $0.$size + 1.0 / 3 }] }
    }
    struct Zero: MagicObject {
      @MagicValue var name: String = ""
      static var indexes: [MagicIndex<Zero>] {
        [MagicIndex(\.$name, where: { $0.$name == "a\0b" })]
      }
    }
    struct Listed: MagicObject {
      @MagicValue var name: String = ""
      static var indexes: [MagicIndex<Listed>] {
        [MagicIndex(\.$name, where: { $0.$name.in(["a"]) })]
      }
    }
    struct Identified: MagicObject {
      @MagicValue var name: String = ""
      static var indexes: [MagicIndex<Identified>] { [MagicIndex { $0.zIndex }] }
    }
    try refuse(Fraction.self, "no exact literal")
    try refuse(Zero.self, "no exact literal")
    try refuse(Listed.self, "a list of values")
    try refuse(Identified.self, "the row ID")
  }
}
