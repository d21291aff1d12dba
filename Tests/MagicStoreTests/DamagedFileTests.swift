import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// Files that are not a complete database: a clear error, and no byte is changed.
@Suite struct DamagedFileTests {
  let scratch = Scratch()

  /// A database of some pages, closed.
  private func makeDatabase() throws -> Data {
    try scratch.using { store throws in
      try store.update(
        contentsOf: (0..<2_000).map { Note("text \($0) \(String(repeating: "x", count: 40))") })
    }
    return try Data(contentsOf: URL(fileURLWithPath: scratch.file()))
  }

  @Test(arguments: [
    Data("hello".utf8),
    Data("A letter, which is longer than the header of a database.\n".utf8) + Data(count: 4_096),
    Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }),
    Data("SQLite format 2\0".utf8) + Data(count: 8_000),
    Data(count: 4_096 * 2).map { $0 | 0xFF }.withUnsafeBytes { Data($0) },
  ])
  func aFileThatIsNotADatabaseIsRefused(bytes: Data) throws {
    try scratch.write(bytes)
    scratch.expectRefusal(.notADatabase)
  }

  @Test func aFileWithAnOverwrittenHeaderIsRefused() throws {
    var bytes = try makeDatabase()
    bytes.replaceSubrange(0..<16, with: Data("XXXXXXXXXXXXXXXX".utf8))
    try scratch.write(bytes)
    scratch.expectRefusal(.notADatabase)
  }

  @Test func aDirectoryAtThePathIsRefused() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("default.sqlite3"), withIntermediateDirectories: true)
    for readOnly in [false, true] {
      let error = #expect(throws: MagicError.self) {
        try MagicObjectStore.open(.file(scratch.path), options: MagicOptions(readOnly: readOnly))
      }
      #expect(error?.code == .cannotOpen)
    }
    #expect(scratch.contents.keys.sorted() == ["default.sqlite3"])
  }

  @Test func aTruncatedFileIsDetectedOnOpenOrOnRead() throws {
    let whole = try makeDatabase()
    for size in [512, 4_096, 4_096 * 3, whole.count / 2, whole.count - 4_096] {
      let bytes = whole.prefix(size)
      try scratch.write(bytes)
      let error = #expect(throws: MagicError.self, "\(size) bytes") {
        let store = try scratch.open(MagicOptions(readOnly: true))
        defer { store.close() }
        _ = try store.object(of: Note.self)
      }
      #expect(error?.code == .corrupt, "\(size) bytes")
      #expect(scratch.contentsWithoutEmptyLogs == ["test.sqlite3": bytes], "\(size) bytes")
    }
  }

  @Test func savesToATruncatedFileAreRefused() throws {
    let whole = try makeDatabase()
    let bytes = whole.prefix(4_096 * 3)
    try scratch.write(bytes)
    let error = #expect(throws: MagicError.self) {
      let store = try scratch.open()
      defer { store.close() }
      try store.update(Note("new"))
    }
    #expect(error?.code == .corrupt)
    #expect(scratch.contents == ["test.sqlite3": bytes])
  }

  @Test func aDamagedPageIsAnErrorAndOtherTablesAreRead() throws {
    try scratch.using { store in try store.update(contentsOf: (1...20).map { Ticket("\($0)") }) }
    var bytes = try makeDatabase()
    let connection = try scratch.raw()
    let root = try #require(
      try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'Note'"))
    connection.close()
    let start = (Int(root) - 1) * 4_096
    bytes.replaceSubrange(start..<start + 4_096, with: Data(repeating: 0xA5, count: 4_096))
    try scratch.write(bytes)

    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Note.self) }
      #expect(error?.code == .corrupt)
      #expect(try store.object(of: Ticket.self).count == 20)
    }
    #expect(scratch.contents == ["test.sqlite3": bytes])
  }

  @Test func aDamagedSchemaIsRefused() throws {
    var bytes = try makeDatabase()
    bytes.replaceSubrange(100..<4_096, with: Data(repeating: 0xA5, count: 3_996))
    try scratch.write(bytes)
    scratch.expectRefusal(.corrupt)
  }

  @Test func aFailedOpenLeavesNoFileOpen() throws {
    try scratch.write(Data("hello".utf8))
    for _ in 0..<3 { #expect(throws: MagicError.self) { try scratch.open() } }
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let open = numbers.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(!open.contains { $0.hasPrefix(scratch.path) })
  }

  @Test func errorTextsAreSentences() throws {
    try scratch.write(Data("hello".utf8))
    let error = #expect(throws: MagicError.self) { try scratch.open() }
    #expect(
      error?.message == "Not a database: the file header is invalid. Path: \(scratch.file()).")
    #expect(error?.cause is SQLiteError)
  }
}
