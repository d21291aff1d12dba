import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Magical
import SQLiteStore
import Testing

/// Columns of adopted tables that become UUIDs of bytes.
@Suite struct AdoptedUUIDTests {
  let scratch = Scratch()

  private struct Thing: MagicObject {
    @OptionMagicValue var key: MagicUUID?

    static var migrations: Migrations { Migrations { MigrationStep { [.adoptTable()] } } }

    init() {}
  }

  @Test func textsAndBlobsBecomeBytes() throws {
    try scratch.foreign(
      """
      CREATE TABLE Thing (key);
      INSERT INTO Thing VALUES ('a0000000-0000-4000-8000-00000000000f'),
        (x'A000000000004000800000000000000F'), (NULL);
      """)
    try scratch.using { store throws in
      let key = MagicUUID("A0000000-0000-4000-8000-00000000000F")
      #expect(try store.object(of: Thing.self).map(\.key) == [key, key, nil])
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: ["'abc'", "x'00'", "7"]) func otherValuesAreRefused(_ value: String) throws {
    try scratch.foreign("CREATE TABLE Thing (key); INSERT INTO Thing VALUES (\(value))")
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Thing.self) }
      #expect(error?.code == .needsMigration)
      #expect(error?.message.contains("row 1 has a value of key that is not a UUID") == true)
    }
    #expect(try scratch.raw().dump() == before)
  }
}
