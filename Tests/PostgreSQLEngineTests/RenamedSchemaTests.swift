import Foundation
import MagicAssets
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import PostgreSQLTestSupport
import Testing

private struct Letter: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable) var subject: String = ""
  @OptionMagicValue var file: MagicAsset<Data>?

  init() {}
  init(_ id: Int, _ subject: String, _ bytes: UInt8) {
    (self.id, self.subject) = (id, subject)
    file = MagicAsset(value: Data(repeating: bytes, count: 300_000))
  }
}

/// A schema that has got another name, as tenants do when they are moved.
@Suite(.requiresPostgreSQL) struct RenamedSchemaTests {
  @Test(arguments: [false, true]) func theTablesOfARenamedSchemaAreUsed(hasSuccessor: Bool)
    async throws
  {
    let schema = try TestSchema()
    var magic = try await schema.openMagicData(.outbox)
    var changes = magic.changes(of: Letter.self).makeAsyncIterator()
    try await magic.update(Letter(1, "first", 1))
    _ = await changes.next()
    await magic.close()
    let name = schema.name + " 2"
    try schema.run("ALTER SCHEMA \"\(schema.name)\" RENAME TO \"\(name)\"")
    // Another database has the earlier name.
    let successor = hasSuccessor ? try await schema.openMagicData() : nil
    try await successor?.update(Letter(1, "successor", 9))

    magic = try await MagicData(
      postgres: schema.server.information,
      options: PostgresOptions(schema: name, observation: .outbox(every: 0.2)))
    changes = magic.changes(of: Letter.self).makeAsyncIterator()
    let zIndex = try await magic.update(Letter(2, "second", 2))
    #expect(await changes.next()?.inserted == [zIndex])
    let letter = try await magic.object(of: Letter.self, primary: 2)
    #expect(try letter.file?.load() == Data(repeating: 2, count: 300_000))
    #expect(try await magic.query(Letter.self).matching("second").count() == 1)
    #expect(try await magic.query(Letter.self).matching("successor").count() == 0)
    try await magic.remove(magic.object(of: Letter.self, primary: 1))
    #expect(try await magic.verify().isSound)
    if let successor {
      #expect(try await successor.query(Letter.self).matching("successor").count() == 1)
      #expect(try await successor.verify().isSound)
      await successor.close()
    }
    await magic.close()
  }

  /// The functions are checked at each opening, and changed only after a renaming.
  @Test func anUnchangedSchemaKeepsItsFunctions() async throws {
    let schema = try TestSchema()
    func versions() throws -> [String] {
      let found = try schema.run(
        "SELECT xmin FROM pg_proc WHERE pronamespace = '\"\(schema.name)\"'::regnamespace "
          + "AND proconfig IS NOT NULL ORDER BY oid")
      return (0..<found.count).map { found.text($0, 0) }
    }
    let magic = try await schema.openMagicData(.outbox)
    var changes = magic.changes(of: Letter.self).makeAsyncIterator()
    try await magic.update(Letter(1, "first", 1))
    _ = await changes.next()
    await magic.close()
    let before = try versions()
    #expect(before.count == 4)
    await (try schema.openMagicData()).close()
    #expect(try versions() == before)
  }
}
