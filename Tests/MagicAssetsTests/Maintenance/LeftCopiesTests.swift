import EngineConformance
import Foundation
import MagicAssets
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Partial backups of killed processes, when the next backup is written to the same path.
@Suite struct LeftCopiesTests {
  let scratch = Scratch()

  private var copyPath: String { scratch.file("copy.sqlite3") }

  private var others: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: scratch.path)) ?? [])
      .filter { !$0.hasPrefix("test.sqlite3") && !$0.hasPrefix("copy.sqlite3-assets/") }.sorted()
  }

  private func put(_ names: String...) throws {
    for name in names {
      let url = URL(fileURLWithPath: scratch.file(name))
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("x".utf8).write(to: url)
    }
  }

  private func copy() throws {
    try scratch.using { store throws in
      try store.update(Album("a", notes: "x"))
      try store.backup(to: copyPath)
    }
  }

  @Test func allPartsAreRemoved() throws {
    try put(
      "copy.sqlite3.partial-1a2b3c4d", "copy.sqlite3.partial-1a2b3c4d-lock",
      "copy.sqlite3.partial-1a2b3c4d-assets/0123456789abcdef/file",
      "copy.sqlite3.partial-00000000-lock")
    try copy()
    #expect(others == ["copy.sqlite3", "copy.sqlite3-assets"])
  }

  @Test func otherFilesAreKept() throws {
    let names = [
      "copy.sqlite3.partial-1a2b3c4d", "copy.sqlite3.partial-1A2B3C4D-lock",
      "copy.sqlite3.partial-1a2b3c4-lock", "other.sqlite3.partial-1a2b3c4d-lock",
      "copy.sqlite3.partial-mine",
    ]
    for name in names { try put(name) }
    try copy()
    #expect(others == (names + ["copy.sqlite3", "copy.sqlite3-assets"]).sorted())
  }

  @Test func aFolderWithTheFinalNameIsRemovedIfItIsOfTheBackup() throws {
    try put(
      "copy.sqlite3.partial-1a2b3c4d", "copy.sqlite3.partial-1a2b3c4d-lock",
      "copy.sqlite3-assets/1a2b3c4d1a2b3c4d.open", "copy.sqlite3-assets/0123456789abcdef/file")
    try copy()
    #expect(others == ["copy.sqlite3", "copy.sqlite3-assets"])
    let copied = try MagicObjectStore.open(.file(copyPath))
    defer { copied.close() }
    #expect(try copied.verify().findings == [])
    #expect(try copied.allNotes() == ["x"])
  }

  @Test func aFolderThatIsNotOfTheBackupIsKept() throws {
    try put(
      "copy.sqlite3.partial-1a2b3c4d", "copy.sqlite3.partial-1a2b3c4d-lock",
      "copy.sqlite3-assets/0123456789abcdef/file")
    let error = #expect(throws: MagicError.self) { try copy() }
    #expect(error?.code == .fileExists)
    #expect(
      FileManager.default.fileExists(
        atPath: scratch.file("copy.sqlite3-assets/0123456789abcdef/file")))
  }

  @Test func onlyTheMarkerOfACompleteBackupIsRemoved() throws {
    try copy()
    try put(
      "copy.sqlite3.partial-1a2b3c4d-lock", "copy.sqlite3-assets/1a2b3c4d1a2b3c4d.open")
    let error = #expect(throws: MagicError.self) { try copy() }
    #expect(error?.code == .fileExists)
    #expect(others == ["copy.sqlite3", "copy.sqlite3-assets"])
    let copied = try MagicObjectStore.open(.file(copyPath))
    defer { copied.close() }
    #expect(try copied.allNotes() == ["x"])
  }

  @Test func aRunningBackupIsNotChanged() throws {
    let other = try MagicObjectStore.open(.memory)
    defer { other.close() }
    try other.update(Album("b", notes: "y"))
    try scratch.using { store throws in
      try store.update(Album("a", notes: "x"))
      var isFirst = true
      let error = #expect(throws: MagicError.self) {
        try store.backup(to: copyPath) { _ in
          guard isFirst else { return }
          isFirst = false
          try? other.backup(to: copyPath)
          #expect(others.count { $0.contains(".partial-") } == 2)
        }
      }
      #expect(!isFirst)
      #expect(error?.code == .fileExists)
    }
    #expect(others == ["copy.sqlite3", "copy.sqlite3-assets"])
    let copied = try MagicObjectStore.open(.file(copyPath))
    defer { copied.close() }
    #expect(try copied.allNotes() == ["y"])
  }
}
