import MagicData
import MagicDataPostgres
import MagicStore
import PostgreSQLTestSupport
import Testing

private struct Word: MagicObject {
  @MagicValue(.compared(.localized("de"))) var text: String = ""
  init() {}
}

/// PostgreSQL has no collations.
@Suite(.requiresPostgreSQL) struct CollationTests {
  @Test func aTypeWithACollationIsRefused() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let error = #expect(throws: MagicError.self) { try store.update(Word()) }
    #expect(error?.code == .unsupported)
    #expect(error?.type == "Word")
    #expect(error?.property == "text")
    #expect(code { _ = try store.query(Word.self).where(\.$text == "a").all() } == .unsupported)
  }

  @Test func aQueryWithACollationIsRefusedAndOneWithoutCaseIsNot() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    try store.update(contentsOf: [City("ÉVRY"), City("Oslo")])
    let cities = store.query(City.self)
    #expect(code { _ = try cities.order(by: \.$name, .localized("de")).all() } == .unsupported)
    #expect(try cities.where { $0.$name.equals("évry", .caseInsensitive) }.count() == 1)
    #expect(try cities.where { $0.$name.contains("VR", .caseInsensitive) }.count() == 1)
  }
}
