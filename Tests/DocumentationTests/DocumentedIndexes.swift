import Foundation
import MagicData
import Testing

struct Bill: MagicObject {
  @MagicValue var email: String
  @MagicValue var number: String
  @MagicValue var due: Date = .now
  @MagicValue var isPaid: Bool = false

  static var indexes: [MagicIndex<Bill>] {
    [
      MagicIndex { $0.$email.asciiLowercased() },
      MagicIndex(isUnique: true) { $0.$number.asciiLowercased() },
      MagicIndex(\.$due, where: { $0.$isPaid == false }),
    ]
  }

  init() {}
}

/// Indexes over expressions, and partial indexes.
@Suite struct DocumentedIndexes {
  @Test func theIndexesAreUsed() async throws {
    let magic = try await MagicData(type: .temporary)
    let bill = Bill()
    (bill.email, bill.number) = ("Ada@Example.com", "A1")
    bill.due = Date.now - 60
    try await magic.update(bill)

    let hers = try await magic.query(Bill.self)
      .where { $0.$email.asciiLowercased() == "ada@example.com" }
      .all()
    let late = try await magic.query(Bill.self)
      .where { $0.$isPaid == false && $0.$due < Date.now }
      .order(by: \.$due)
      .all()

    #expect(hers.map(\.number) == ["A1"])
    #expect(late.map(\.number) == ["A1"])
    let other = Bill()
    (other.email, other.number) = ("bob@example.com", "a1")
    await #expect(throws: MagicError.self) { try await magic.update(other) }
    // As the description of the format says.
    for sql in [
      #"CREATE UNIQUE INDEX "Bill(lower(""number"")) unique" ON "Bill" (lower("number"))"#,
      #"CREATE INDEX "Bill(due) where ""isPaid"" = 0" ON "Bill" ("due") WHERE "isPaid" = 0"#,
    ] {
      let count = magic.sql("SELECT count(*) FROM sqlite_master WHERE sql = \(sql)")
      #expect(try await count.value(Int.self) == 1)
    }
  }
}
