import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicRuntime
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

private struct Guest: MagicObject {
  @MagicValue(.compared(.localized("de")), .indexed) var name: String = ""
  @MagicValue(.compared(.caseInsensitive), .unique) var mail: String = ""
  @OptionMagicValue(.compared(.caseInsensitive)) var city: String?
  @MagicValue var number: Int = 0
  static var indexes: [MagicIndex<Guest>] { [MagicIndex(\.$city, \.$number)] }
  init() {}
  init(_ name: String, _ mail: String, _ city: String? = nil) {
    (self.name, self.mail, self.city) = (name, mail, city)
  }
}

/// Texts that the server compares by collations.
@Suite(.requiresPostgreSQL) struct CollationTests {
  private let schema: TestSchema

  init() throws { schema = try TestSchema() }

  private func texts(_ sql: String) throws -> [String] {
    let result = try schema.run(sql)
    return (0..<result.count).map { result.text($0, 0) }
  }

  private func withGuests(_ body: (MagicObjectStore) throws -> Void) throws {
    let store = try schema.open()
    defer { store.close() }
    try store.update(
      contentsOf: [
        Guest("Zoe", "Zoe@x", "Bonn"), Guest("ada", "ada@x", "bonn"), Guest("Éva", "É@x"),
        Guest("eva", "eva@x", "BONN"),
      ])
    try body(store)
  }

  @Test func theColumnsAndIndexesOfATableHaveTheCollations() throws {
    try withGuests { _ in }
    let columns = try texts(
      "SELECT attname || ' ' || collname FROM pg_attribute JOIN pg_collation AS c "
        + "ON c.oid = attcollation WHERE attrelid = '\"Guest\"'::regclass AND attnum > 0 ORDER BY 1"
    )
    #expect(columns == ["city POSIX", "mail POSIX", "name de-x-icu"])
    let indexes = try texts(
      "SELECT substr(pg_get_indexdef(indexrelid), strpos(pg_get_indexdef(indexrelid), 'USING')) "
        + "FROM pg_index WHERE indrelid = '\"Guest\"'::regclass AND NOT indisprimary ORDER BY 1")
    #expect(
      indexes == [
        "USING btree (lower((city COLLATE \"C\")), number)",
        "USING btree (lower((mail COLLATE \"C\")))", "USING btree (name)",
      ])
  }

  @Test func aViolationNamesThePropertyOfTheUniqueIndex() throws {
    try withGuests { store throws in
      let error = #expect(throws: MagicError.self) { try store.update(Guest("x", "ZOE@X")) }
      #expect(error?.code == .notUnique)
      #expect(error?.type == "Guest")
      #expect(error?.property == "mail")
      try store.update(Guest("x", "é@x"))
    }
  }

  @Test func theIndexOfAColumnServesItsComparisonsAndOrders() throws {
    let store = try schema.open()
    defer { store.close() }
    try store.update(contentsOf: (0..<2_000).map { Guest("n\($0)", "M\($0)@x") })
    try schema.run("ANALYZE \"Guest\"")
    let guests = store.query(Guest.self)
    #expect(try guests.where(\.$name == "n7").isIndexed)
    #expect(try guests.where(\.$mail == "m7@X").isIndexed)
    #expect(try guests.where { $0.$mail.in(["m7@X", "m8@x"]) }.isIndexed)
    #expect(try guests.order(by: \.$mail).limit(3).isIndexed)
    #expect(try guests.order(by: \.$name).limit(3).isIndexed)
    #expect(try guests.order(by: \.$name, .localized("de")).limit(3).isIndexed)
    #expect(try !guests.order(by: \.$name, .localized("sv")).limit(3).isIndexed)
  }

  @Test func aLocaleThatTheServerLacksIsRefused() throws {
    struct Word: MagicObject {
      @MagicValue(.compared(.localized("xx_YY"))) var text: String = ""
      init() {}
    }
    try withGuests { store throws in
      #expect(code { try store.update(Word()) } == .unsupported)
      let guests = store.query(Guest.self)
      let error = #expect(throws: MagicError.self) {
        _ = try guests.order(by: \.$name, .localized("de@collation=phonebook")).all()
      }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("de-u-co-phonebk-x-icu") == true)
      try schema.run(
        "CREATE COLLATION \"de-u-co-phonebk-x-icu\" (provider = icu, locale = 'de-u-co-phonebk')")
      #expect(try guests.order(by: \.$name, .localized("de@collation=phonebook")).count() == 4)
      #expect(
        try guests.order(by: \.$name, .localized("de@collation=phonebook")).all().map(\.name)
          == ["ada", "eva", "Éva", "Zoe"])
    }
  }

  @Test func sqlWithAColumnIsComparedByItsCollation() throws {
    try withGuests { store throws in
      let guests = store.query(Guest.self)
      let (low, high) = ("b", "F")
      #expect(
        try guests
          .where { _ in
            .sql("\(column: \Guest.$name) > \(low) AND \(column: \Guest.$name) < \(high)")
          }
          .order(by: \.$name).all().map(\.name) == ["eva", "Éva"])
      #expect(
        try guests.where { _ in .sql("lower(\(column: \Guest.$mail)) = lower(\("ZOE@x"))") }.all()
          .map(\.name) == ["Zoe"])
    }
  }

  /// Equal texts are one value. It is the first of them by bytes.
  @Test func equalTextsAreOneValueOfAGroup() throws {
    try withGuests { store throws in
      let guests = store.query(Guest.self)
      #expect(try guests.select(\.$city).distinct().order(by: \.$city).all() == [nil, "BONN"])
      #expect(
        try guests.select(\.$city).distinct().order(by: \.$name, .descending).all() == [
          "BONN", nil,
        ])
      #expect(try guests.grouped(by: \.$city).count().map(\.key) == [nil, "BONN"])
      #expect(try guests.min(\.$city) == "BONN")
      #expect(try guests.max(\.$city) == "bonn")
      #expect(try guests.max(\.$mail) == "É@x")
    }
  }

  @Test func setOperationsCompareByTheCollationOfTheFirst() throws {
    try withGuests { store throws in
      let guests = MagicQuery(Guest.self)
      let all = store.query(Guest.self)
      let some = all.where(\.$name < "b").select(\.$city)
      let others = guests.where(\.$name > "b").select(\.$city)
      #expect(try Set(some.union(others).all()) == ["BONN", nil])
      #expect(try some.intersect(others).all() == ["bonn"])
      #expect(try some.except(others).all() == [])
      #expect(
        try all.select(\.$city).except(guests.where(\.$name < "b").select(\.$city)).all() == [nil])
    }
  }

  // MARK: Orders

  /// Texts of letters, accents, ignored characters and parts of syllables.
  private func drawnTexts(_ count: Int, _ random: inout SeededRandom) -> [String] {
    let parts = [
      "a", "A", "b", "Z", "é", "e", "e\u{301}", "\u{301}", "ß", "s", " ", "-", "\0",
      "1", "c", "h", "한", "\u{1112}\u{1161}", "하", "😀", "\u{1F468}\u{200D}", "\u{200D}",
      "\u{FFFD}", "\u{10FFFF}", "ｱ", "ア", "i", "İ", "ı", "\u{AD}", "\u{1}", "\u{2}", "ä", "ö", "Å",
      "aa", "_", "'", "中", "文", "ж", "Ж", "α", "Ω",
    ]
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
    }
  }

  private static func scalars(_ text: [UInt8]) -> [String] {
    String(decoding: text, as: UTF8.self).unicodeScalars.map { String($0.value, radix: 16) }
  }

  /// The collation of the server for Thai ignores punctuation, and it orders several marks of one letter
  /// in another way.
  @Test(arguments: ["de", "sv", "cs", "da", "fr_CA", "ja", "zh", "root", "en_US_POSIX"])
  func theServerOrdersTextsAsFilesDo(_ locale: String) throws {
    let store = try schema.open()
    defer { store.close() }
    var random = SeededRandom(7)
    try store.update(contentsOf: drawnTexts(600, &random).map { Guest("x", UUID().uuidString, $0) })
    let collator = TextCollator.of(locale)
    let found = try store.query(Guest.self).order(by: \.$city, .localized(locale)).all()
      .map { Array(($0.city ?? "").utf8) }
    #expect(found.count == 600)
    for (left, right) in zip(found, found.dropFirst()) {
      let order = left.withUnsafeBytes { left in
        right.withUnsafeBytes { collator.compare(left, $0) }
      }
      #expect(
        order <= 0,
        "\(Self.scalars(left)) precedes \(Self.scalars(right))")
    }
  }

  @Test func anOrderOfAnotherVersionOfICUIsReported() throws {
    struct Word: MagicObject {
      @MagicValue(.compared(.localized("fo")), .indexed) var text: String = ""
      @MagicValue(.compared(.localized("fo"))) var other: String = ""
      init() {}
    }
    let store = try schema.open()
    defer { store.close() }
    try store.update(Word())
    #expect(try store.verify().isSound)
    let former = try texts("SELECT collversion FROM pg_collation WHERE collname = 'fo-x-icu'")[0]
    try schema.run("UPDATE pg_collation SET collversion = '0' WHERE collname = 'fo-x-icu'")
    let findings = try store.verify().findings
    try schema.run(
      "UPDATE pg_collation SET collversion = '\(former)' WHERE collname = 'fo-x-icu'")
    #expect(findings.map(\.kind) == [.wrongOrder])
    #expect(findings.first?.table == "Word" && findings.first?.column == "text")
  }
}
