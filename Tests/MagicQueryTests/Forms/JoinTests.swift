import EngineConformance
import Foundation
import MagicData
import MagicQuery
import SQLiteStore
import Testing

private struct Clerk: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var salary: Int = 0
  @OptionMagicValue var born: Date?
  @OptionMagicValue var boss: Clerk?
  @OptionMagicValue var mentor: AsyncMagical<Clerk>?

  init() {}
  init(_ name: String, _ salary: Int, born: Double? = nil, boss: Clerk? = nil) {
    self.name = name
    self.salary = salary
    self.born = born.map { Date(timeIntervalSinceReferenceDate: $0) }
    self.boss = boss
    self.mentor = boss.map { AsyncMagical(value: $0) }
  }
}

private struct Booking: MagicObject {
  @MagicValue var number: Int = 0
  @OptionMagicValue var buyer: Clerk?

  init() {}
  init(_ number: Int, _ buyer: Clerk? = nil) {
    self.number = number
    self.buyer = buyer
  }
}

private struct Bill: MagicObject {
  @MagicValue(.indexed) var order: Int = 0
  @MagicValue var amount: Double = 0
  @OptionMagicValue var payer: Clerk?

  init() {}
  init(_ order: Int, _ amount: Double, _ payer: Clerk? = nil) {
    self.order = order
    self.amount = amount
    self.payer = payer
  }
}

/// Rows that are combined with rows of any type.
@Suite(.everyEngine, .requires(.combinations)) struct JoinTests {
  private let test: TestStore
  private let employees: MagicQuery<Clerk, MagicObjectStore>
  private let orders: MagicQuery<Booking, MagicObjectStore>

  init() throws {
    test = try TestStore()
    let boss = Clerk("Boss", 50, born: 1)
    let ann = Clerk("Ann", 60, born: 2, boss: boss)
    let bob = Clerk("Bob", 20, born: 1, boss: boss)
    let cid = Clerk("Cid", 70, born: 2, boss: ann)
    try test.store.update(contentsOf: [boss, ann, bob, cid, Clerk("Eve", 10)])
    try test.store.update(contentsOf: [
      Booking(1, ann), Booking(2, bob), Booking(3), Booking(4, ann),
    ])
    try test.store.update(contentsOf: [
      Bill(1, 5, ann), Bill(1, 7, bob), Bill(2, 9), Bill(9, 1),
    ])
    employees = test.store.query(Clerk.self)
    orders = test.store.query(Booking.self)
  }

  @Test func employeesWhoEarnMoreThanTheirBoss() throws {
    let pairs = employees.joined(with: Clerk.self) { $0.$boss == $1 && $0.$salary > $1.$salary }
    let names = try pairs.order { employee, _ in employee.$name }
      .select { employee, boss in (employee.$name, boss.$name) }.all()
    #expect(names.map { "\($0.0)>\($0.1)" } == ["Ann>Boss", "Cid>Ann"])
    #expect(try pairs.count() == 2)
    #expect(try pairs.exists())
    let objects = try pairs.order(.descending) { clerk, _ in clerk.$name }.all()
    #expect(objects.map { "\($0.0.name) \($0.1.name)" } == ["Cid Ann", "Ann Boss"])
    #expect(try pairs.order { clerk, _ in clerk.$name }.first()?.0.name == "Ann")
  }

  @Test func lazyRelationshipsAreCompared() throws {
    let pairs = employees.joined(with: Clerk.self) { $0.$mentor == $1 }
    #expect(
      try pairs.order { clerk, _ in clerk.$name }.select { $1.$name }.all() == [
        "Boss", "Boss", "Ann",
      ])
    let mentored = employees.where { employee in
      MagicQuery(Clerk.self).exists { $0.$mentor == employee }
    }
    #expect(try mentored.order(by: \.$name).select(\.$name).all() == ["Ann", "Boss"])
    let rich = MagicQuery(Clerk.self).where(\.$salary > 55)
    #expect(try employees.where { $0.$mentor.in(rich) }.select(\.$name).all() == ["Cid"])
  }

  @Test func lazyParentsAreFollowed() throws {
    let boss = try #require(try employees.where(\.$name == "Boss").first())
    let below = employees.descendants(of: boss, by: \.$mentor).order { $0.depth }.order(by: \.$name)
    #expect(try below.select(\.$name).all() == ["Ann", "Bob", "Cid"])
    let direct = employees.descendants(by: \.$mentor, maximumDepth: 1) { $0.$name == "Boss" }
    #expect(try direct.order(by: \.$name).select(\.$name).all() == ["Ann", "Bob"])
    let cid = try #require(try employees.where(\.$name == "Cid").first())
    let above = employees.ancestors(of: [cid], by: \.$mentor, includingStart: true)
    #expect(try above.order(by: \.$name).select(\.$name).all() == ["Ann", "Boss", "Cid"])
  }

  @Test func pairsThatWereBornOnTheSameDay() throws {
    let pairs = employees.joined(with: Clerk.self) {
      $0.$born == $1.$born && $0.$born != nil && $0.$name < $1.$name
    }
    let names = try pairs.select { ($0.$name, $1.$name) }.order(by: \.$name).all()
    #expect(names.map { $0.0 + $0.1 } == ["AnnCid", "BobBoss"])
  }

  @Test func rowsOfAnotherTypeMatchByAValue() throws {
    let billed = orders.joined(with: Bill.self) { order, invoice in
      order.$number == invoice.$order
    }
    let rows = try billed.order { $1.$amount }.select { ($0.$number, $1.$amount) }.all()
    #expect(rows.map { "\($0)" } == ["(1, 5.0)", "(1, 7.0)", "(2, 9.0)"])
    let unbilled = orders.where { order in
      !MagicQuery(Bill.self).exists { $0.$order == order.$number.outer() }
    }
    #expect(try unbilled.order(by: \.$number).select(\.$number).all() == [3, 4])
  }

  @Test func bothSidesHaveToOneRelationships() throws {
    let other = orders.joined(with: Bill.self) {
      $0.$number == $1.$order && $0.$buyer.$name != $1.$payer.$name
    }
    let rows = try other.order { $1.$amount }.select { ($0.$buyer.$name, $1.$payer.$name) }.all()
    #expect(rows.map { "\($0.0 ?? "-") \($0.1 ?? "-")" } == ["Ann Bob", "Bob -"])
    let payers = try other.order { $1.$amount }.select { ($0.$buyer, $1.$payer) }.all()
    #expect(payers.map { "\($0.0?.name ?? "-") \($0.1?.name ?? "-")" } == ["Ann Bob", "Bob -"])
  }

  @Test func theOtherRowsMayBeThoseOfAQuery() throws {
    let cheap = MagicQuery(Bill.self).where(\.$amount < 8).order(by: \.$amount).limit(2)
    let rows = orders.joined(with: cheap) { $0.$number == $1.$order }
    #expect(try rows.select { $1.$amount }.all() == [5])
  }

  @Test func conditionsAndLimitsOfTheQueryApplyToItsRows() throws {
    let first = orders.where(\.$number < 4).order(by: \.$number).limit(1)
    let rows = first.joined(with: Bill.self) { $0.$number == $1.$order }
    #expect(try rows.count() == 2)
    #expect(try rows.limit(1).count() == 1)
    #expect(try rows.order { $1.$amount }.offset(1).select { $1.$amount }.all() == [7])
    #expect(try rows.where { $1.$amount > 6 }.select { $1.$amount }.all() == [7])
  }

  @Test func combinationsAreGrouped() throws {
    let groups = try orders.joined(with: Bill.self) { $0.$number == $1.$order }
      .grouped { order, _ in order.$buyer.$name }
      .order(byKey: .ascending)
      .count()
    #expect(groups.map { "\($0.key ?? "-") \($0.count)" } == ["Ann 2", "Bob 1"])
    let pairs = try employees.joined(with: Clerk.self) { $0.$boss == $1 }
      .grouped { ($1.$name, $0.$salary > $1.$salary) }.order(byKey: .ascending).count()
    #expect(
      pairs.map { "\($0.key.0) \($0.key.1) \($0.count)" }
        == ["Ann true 1", "Boss false 1", "Boss true 1"])
  }

  @Test func subqueriesAndWindowsUseBothRows() throws {
    let rows = try employees.joined(with: Clerk.self) { employee, boss in
      employee.$boss == boss
        && MagicQuery(Booking.self).exists { $0.$buyer == employee }
    }
    .order { clerk, _ in clerk.$name }
    .select { clerk, _ in (clerk.$name, clerk.rowNumber(over: .order(by: clerk.$salary))) }.all()
    #expect(rows.map { "\($0)" } == ["(\"Ann\", 2)", "(\"Bob\", 1)"])
  }

  @Test func statementsOfEqualShapeHaveTheirOwnValues() throws {
    for (limit, count) in [(100, 3), (50, 3), (6, 1), (1, 0)] {
      let rows = orders.joined(with: Bill.self) {
        $0.$number == $1.$order && $1.$amount < Double(limit)
      }
      #expect(try rows.count() == count)
    }
  }

  @Test func aTypeThatWasNeverSavedHasNoRows() throws {
    let empty = try TestStore()
    try empty.store.update(Booking(1))
    let rows = empty.store.query(Booking.self).joined(with: Bill.self) { $0.$number == $1.$order }
    #expect(try rows.count() == 0)
    #expect(try rows.all().isEmpty)
  }

  @Test func aSubqueryOfCombinationsIsRefused() throws {
    let rows = MagicQuery(Booking.self).joined(with: Bill.self) { $0.$number == $1.$order }
    let error = #expect(throws: MagicError.self) {
      try test.store.query(Bill.self).where {
        $0.$order.in(rows.select { booking, _ in booking.$number })
      }.all()
    }
    #expect(error?.code == .invalidQuery)
  }
}
