import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Files that a newer library, a newer SQLite or a newer program wrote are refused and not changed.
@Suite struct NewerFormatTests {
  let scratch = Scratch()

  @Test func aNewerFormatOfTheLibraryIsRefused() async throws {
    try await scratch.using { try await $0.update(Note("a")) }
    let connection = try scratch.raw()
    try connection.execute("UPDATE magic_format SET version = 987")
    connection.close()
    let before = try FileSnapshot(of: scratch.url())
    await scratch.expectRefusal(.newerFormat)
    let error = await expect(.newerFormat) { _ = try await MagicData(path: scratch.file()) }
    #expect(error?.message.contains("987") == true)
    #expect(try before.changes() == [])
  }

  @Test func aFileThatOnlyANewerSQLiteCanReadIsRefused() async throws {
    try await scratch.using { try await $0.update(Note("a")) }
    let whole = try scratch.damage { $0[19] = 9 }
    let before = try FileSnapshot(of: scratch.url())
    await scratch.expectRefusal(.notADatabase)
    #expect(try before.changes() == [])
    try scratch.write(whole)
    try await scratch.using { magic async throws in
      #expect(try await magic.texts() == ["a"])
    }
  }

  @Test func aFileThatOnlyANewerSQLiteCanWriteIsReadAndNotWritten() async throws {
    try await scratch.using { try await $0.update(Note("a")) }
    let whole = try scratch.damage { $0[18] = 9 }
    let before = scratch.contentsWithoutEmptyLogs
    await expect(.readOnly) { _ = try await MagicData(path: scratch.file()) }
    #expect(scratch.contentsWithoutEmptyLogs == before)
    try await scratch.using(MagicOptions(readOnly: true)) { magic async throws in
      #expect(try await magic.texts() == ["a"])
      for write in writes(of: magic) { await expect(.readOnly) { try await write() } }
    }
    #expect(scratch.contentsWithoutEmptyLogs == before)
    try scratch.write(whole)
    try await scratch.using { magic async throws in
      #expect(try await magic.texts() == ["a"])
    }
  }

  private enum Newer {
    struct Card: MagicObject {
      static var migrations: Migrations {
        Migrations { MigrationStep { [.renameValue(name: "title", to: "name")] } }
      }
      @MagicValue var name: String = "new"
    }
  }

  private enum Older {
    struct Card: MagicObject {
      @MagicValue var title: String = "old"
    }
  }

  @Test func aTableOfANewerProgramIsRefusedAndOtherTablesAreUsed() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Newer.Card())
      try await magic.update(Note("a"))
    }
    let before = try FileSnapshot(of: scratch.url())
    try await scratch.using { magic async throws in
      let error = await expect(.newerSchema) { try await magic.update(Older.Card()) }
      #expect(error?.type == "Card")
      await expect(.newerSchema) { _ = try await magic.object(of: Older.Card.self) as [Older.Card] }
      await expect(.newerSchema) { try await magic.migrate(Older.Card.self) }
      #expect(try await magic.texts() == ["a"])
    }
    #expect(try before.changes() == [])
    try await scratch.using { magic async throws in
      #expect(try await magic.object(of: Newer.Card.self).map(\.name) == ["new"])
      try await magic.update(Note("b"))
    }
  }
}
