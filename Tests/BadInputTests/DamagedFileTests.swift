import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Files that are not a database, truncated or damaged: a clear error, and not a byte is changed.
@Suite struct DamagedFileTests {
  let scratch = Scratch()

  /// Creates a database of several pages and closes it.
  private func makeDatabase() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(contentsOf: (1...20).map { Ticket("ticket \($0)") })
      try await magic.update(
        contentsOf: (0..<2_000).map { Note("text \($0) \(String(repeating: "x", count: 40))") })
    }
  }

  private func expectAll(at location: SourceLocation = #_sourceLocation) async throws {
    try await scratch.using { magic async throws in
      #expect(try await magic.object(of: Note.self).count == 2_000, sourceLocation: location)
      #expect(try await magic.object(of: Ticket.self).count == 20, sourceLocation: location)
      #expect(try await magic.verify().findings == [], sourceLocation: location)
      try await magic.update(Note("more"))
    }
  }

  @Test(arguments: [
    Data([7]), Data("hello".utf8), Data(count: 100), Data(count: 8_192),
    Data("A letter, which is longer than the header of a database.\n".utf8) + Data(count: 4_096),
    Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }),
    Data("SQLite format 2\0".utf8) + Data(count: 8_000), Data(repeating: 0xFF, count: 8_192),
  ])
  func aFileThatIsNotADatabaseIsRefusedAndNotChanged(bytes: Data) async throws {
    try scratch.write(bytes)
    let before = try FileSnapshot(of: scratch.url())
    await scratch.expectRefusal(.notADatabase)
    #expect(try before.changes() == [])
  }

  @Test func anOverwrittenHeaderIsRefusedAndItsRestorationRestoresTheDatabase() async throws {
    try await makeDatabase()
    let whole = try scratch.damage { $0.replaceSubrange(0..<16, with: Data(count: 16)) }
    let before = try FileSnapshot(of: scratch.url())
    await scratch.expectRefusal(.notADatabase)
    #expect(try before.changes() == [])
    try scratch.write(whole)
    try await expectAll()
  }

  @Test(arguments: [512, 4_096, 4_096 * 3, -4_096, -2_048, -1])
  func aTruncatedFileIsCorruptAndIsNeitherReadNorWritten(length: Int) async throws {
    try await makeDatabase()
    let whole = try scratch.damage { $0 = $0.prefix(length > 0 ? length : $0.count + length) }
    let before = scratch.contentsWithoutEmptyLogs
    for readOnly in [false, true] {
      await expect(.corrupt) {
        try await scratch.using(MagicOptions(readOnly: readOnly)) { magic async throws in
          _ = try await magic.object(of: Note.self) as [Note]
        }
      }
    }
    await expect(.corrupt) {
      try await scratch.using { magic in _ = try await magic.update(Note("new")) }
    }
    #expect(scratch.contentsWithoutEmptyLogs == before)
    try scratch.write(whole)
    try await expectAll()
  }

  @Test(arguments: [UInt8(0), 0xA5])
  func aDamagedPagePreventsWritesAndReadsOfItsTableOnly(byte: UInt8) async throws {
    try await makeDatabase()
    let page = try scratch.firstPage(of: "Note")
    let whole = try scratch.damage {
      $0.replaceSubrange(page, with: Data(repeating: byte, count: page.count))
    }
    let before = scratch.contentsWithoutEmptyLogs
    try await scratch.using { magic async throws in
      await expect(.corrupt) { _ = try await magic.object(of: Note.self) as [Note] }
      let tickets = try await magic.object(of: Ticket.self)
      #expect(tickets.map(\.title) == (1...20).map { "ticket \($0)" })

      tickets[0].title = "changed"
      for write in writes(of: magic) + [{ try await magic.update(tickets[0]) }] {
        await expect(.corrupt) { try await write() }
      }
      #expect(try await magic.object(of: Ticket.self, primary: 1).title == "ticket 1")
      #expect(try await magic.verify().findings.contains { $0.kind == .damage })

      // Objects that can be read can be saved to another database.
      let other = try await MagicData(path: scratch.file("other.sqlite3"))
      try await other.update(contentsOf: tickets)
      #expect(try await other.object(of: Ticket.self).count == 20)
      await other.close()
    }
    #expect(scratch.contentsWithoutEmptyLogs.filter { !$0.key.hasPrefix("other") } == before)
    try scratch.write(whole)
    try await expectAll()
  }

  @Test func damageFoundByAWritePreventsFurtherWrites() async throws {
    try await makeDatabase()
    let page = try scratch.firstPage(of: "Note")
    try scratch.damage { $0.resetBytes(in: page) }
    let before = scratch.contentsWithoutEmptyLogs
    try await scratch.using { magic async throws in
      try await magic.update(contentsOf: [Ticket]())
      let note = Note("new")
      await expect(.corrupt) { try await magic.update(note) }
      #expect(note.zIndex == nil)
      let ticket = Ticket("new")
      await expect(.corrupt) { try await magic.update(ticket) }
      #expect(ticket.number == 0)
      #expect(try await magic.object(of: Ticket.self).count == 20)
    }
    #expect(scratch.contentsWithoutEmptyLogs == before)
  }

  @Test func aFlippedByteOfATextIsAnErrorOfItsRowOnly() async throws {
    try await makeDatabase()
    let whole = try scratch.damage { bytes in
      let place = try #require(bytes.range(of: Data("text 1234 ".utf8)))
      bytes[place.lowerBound] = 0xFF
    }
    let before = scratch.contentsWithoutEmptyLogs
    try await scratch.using { magic async throws in
      let error = await expect(.cannotDecode) {
        _ = try await magic.object(of: Note.self) as [Note]
      }
      #expect(error?.type == "Note")
      #expect(error?.property == "text")
      #expect(error?.message.contains("row 1235") == true)
      #expect(try await magic.query(Note.self).where(\.$stars == nil).count() == 2_000)
    }
    #expect(scratch.contentsWithoutEmptyLogs == before)
    try scratch.write(whole)
    try await expectAll()
  }

  @Test func verifyFindsAFlippedByteOfAnIndexedText() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(contentsOf: (0..<50).map { Person(id: "p\($0)", name: "name \($0)!") })
    }
    let page = try scratch.firstPage(of: "Person")
    try scratch.damage { bytes in
      let place = try #require(bytes.range(of: Data("name 25!".utf8), in: page))
      bytes[place.lowerBound] ^= 0x01
    }
    try await scratch.using { magic async throws in
      let report = try await magic.verify()
      #expect(report.findings.contains { $0.kind == .damage })
      #expect(try await magic.object(of: Person.self).count == 50)
    }
  }
}
