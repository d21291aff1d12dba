import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// Verification of a database.
@Suite struct VerifyingTests {
  let scratch = Scratch()

  @Test(arguments: [MagicStoreLocation.memory, .temporary])
  func anEmptyDatabaseHasNoFaults(location: MagicStoreLocation) throws {
    let store = try MagicObjectStore.open(location)
    defer { store.close() }
    let report = try store.verify()
    #expect(report.isSound)
    #expect(report.isComplete)
    #expect(report.description == "no faults")
  }

  @Test(arguments: [MagicStoreLocation.memory, .temporary])
  func aDatabaseWithRowsHasNoFaultsAndIsWrittenAfterwards(location: MagicStoreLocation) throws {
    let store = try MagicObjectStore.open(location)
    defer { store.close() }
    try store.update(contentsOf: (0..<100).map { Note("\($0)") })
    #expect(try store.verify().findings == [])
    try store.update(Note("more"))
    #expect(try store.object(of: Note.self).count == 101)
  }

  @Test func aReadOnlyDatabaseIsVerifiedAndNotChanged() throws {
    try scratch.using { store throws in _ = try store.update(Note("a")) }
    let before = scratch.contentsWithoutEmptyLogs
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      #expect(try store.verify().findings == [])
    }
    #expect(scratch.contentsWithoutEmptyLogs == before)
  }

  @Test func aDamagedPageIsAFindingAndTheRestIsStillChecked() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: (0..<500).map { Note("text \($0)") })
      try store.update(Ticket(number: 1, "t"))
    }
    let raw = try scratch.raw()
    let root = try #require(
      try raw.integer("SELECT rootpage FROM sqlite_master WHERE name = 'Note'"))
    try raw.execute(
      """
      CREATE TABLE child (parent INTEGER REFERENCES Ticket (z_index));
      PRAGMA foreign_keys = OFF;
      INSERT INTO child VALUES (77)
      """)
    raw.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.file()))
    let start = (Int(root) - 1) * 4_096
    bytes.replaceSubrange(start..<start + 4_096, with: Data(repeating: 0xA5, count: 4_096))
    try scratch.write(bytes)
    try scratch.using { store throws in
      let report = try store.verify()
      #expect(!report.isSound)
      #expect(report.findings.first?.kind == .damage)
      #expect(
        report.findings.contains { $0.kind == .brokenReference && $0.table == "child" },
        "\(report)")
    }
  }

  @Test func theFindingOfABrokenReferenceNamesTableColumnRowAndTarget() throws {
    try scratch.using { store throws in _ = try store.update(Ticket(number: 1, "t")) }
    let raw = try scratch.raw()
    try raw.execute(
      """
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES Ticket (z_index));
      PRAGMA foreign_keys = OFF;
      INSERT INTO child VALUES (5, 1), (6, NULL), (7, 99)
      """)
    raw.close()
    try scratch.using { store throws in
      let report = try store.verify()
      let finding = try #require(report.findings.first)
      #expect(report.findings.count == 1)
      #expect(finding.kind == .brokenReference)
      #expect(finding.table == "child")
      #expect(finding.column == "parent")
      #expect(finding.zIndex == ZIndex(rawValue: 7))
      #expect(finding.target == "Ticket")
      #expect(
        report.description
          == "brokenReference: child.parent row 7: "
          + "The row refers to a row of Ticket that does not exist.")
    }
  }

  @Test func theFindingOfAMissingMemberNamesTheOwnerAndItsCollection() throws {
    try scratch.using { store throws in
      let shelf = CareShelf()
      shelf.notes = [Note("a"), Note("b")]
      try store.update(shelf)
    }
    let raw = try scratch.raw()
    try raw.execute("PRAGMA foreign_keys = OFF; DELETE FROM Note WHERE z_index = 2")
    raw.close()
    try scratch.using { store throws in
      let report = try store.verify()
      #expect(report.findings.count == 1)
      let finding = try #require(report.findings.first)
      #expect(finding.kind == .brokenReference)
      #expect(finding.type == "CareShelf")
      #expect(finding.column == "notes")
      #expect(finding.zIndex == ZIndex(rawValue: 1))
      #expect(finding.target == "Note")
    }
  }

  @Test func joinRowsOfAMissingOwnerAreFound() throws {
    try scratch.using { store throws in
      let shelf = CareShelf()
      shelf.notes = [Note("a")]
      try store.update(shelf)
    }
    let raw = try scratch.raw()
    try raw.execute("PRAGMA foreign_keys = OFF; DELETE FROM CareShelf")
    raw.close()
    try scratch.using { store throws in
      let finding = try #require(try store.verify().findings.first)
      #expect(finding.kind == .brokenReference)
      #expect(finding.column == "owner")
      #expect(finding.target == "CareShelf")
    }
  }

  @Test func theNumberOfReportedFindingsOfAKindIsLimited() throws {
    try scratch.using { store throws in _ = try store.update(Ticket(number: 1, "t")) }
    let raw = try scratch.raw()
    try raw.execute(
      """
      CREATE TABLE child (parent INTEGER REFERENCES Ticket (z_index));
      PRAGMA foreign_keys = OFF;
      INSERT INTO child VALUES (7), (8), (9)
      """)
    raw.close()
    try scratch.using { store throws in
      let some = try store.verify(limit: 2)
      #expect(some.findings.count == 2)
      #expect(!some.isComplete)
      #expect(some.description.hasSuffix("\nThere are more."))
      let all = try store.verify(limit: 3)
      #expect(all.findings.count == 3)
      #expect(all.isComplete)
    }
  }

  @Test func aNameWithALineBreakIsReportedInOneLine() throws {
    try scratch.using { store throws in _ = try store.update(Ticket(number: 1, "t")) }
    let raw = try scratch.raw()
    try raw.execute(
      """
      CREATE TABLE "chi\nld" (parent INTEGER REFERENCES Ticket (z_index));
      PRAGMA foreign_keys = OFF;
      INSERT INTO "chi\nld" VALUES (7)
      """)
    raw.close()
    try scratch.using { store throws in
      let report = try store.verify()
      #expect(report.findings.count == 1)
      #expect(!report.description.contains("\n"))
    }
  }

  @Test func aNestedVerificationIsAnError() throws {
    let store = try scratch.open()
    defer { store.close() }
    let error = #expect(throws: MagicError.self) {
      try store.transaction { _ in _ = try store.verify() }
    }
    #expect(error?.code == .nestedCall)
  }

  @Test func aClosedStoreIsNotVerified() throws {
    let store = try scratch.open()
    store.close()
    let error = #expect(throws: MagicError.self) { try store.verify() }
    #expect(error?.code == .closed)
  }

  @Test func entriesOfAssetColumnsThatDoNotExistAreFound() throws {
    try scratch.using { store throws in _ = try store.update(Note("a")) }
    let raw = try scratch.raw()
    try raw.execute(
      """
      CREATE TABLE "magic_asset_columns" ("table_name" TEXT, "column_name" TEXT);
      INSERT INTO "magic_asset_columns" VALUES ('Note', 'no"such'), ('Nothing', 'x'),
        ('sqlite_master', 'sql')
      """)
    raw.close()
    try scratch.using { store throws in
      let report = try store.verify()
      #expect(report.findings.map(\.kind) == Array(repeating: .wrongCatalogue, count: 3))
    }
  }
}

struct CareShelf: MagicObject {
  @MagicValue var notes: [Note] = []

  init() {}
}
