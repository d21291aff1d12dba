import EngineConformance
import Foundation
import MagicAssets
import MagicData
import MagicFiles
import MagicSQLite
import MagicTestSupport
import Testing

/// Verification of the files of a database.
@Suite struct VerifyingAssetsTests {
  let scratch = Scratch()

  /// A closed database with two albums, and the names of their notes' files.
  private func makeAlbums() throws -> [String] {
    try scratch.using { store throws in
      for name in ["a", "b"] { try store.update(Album(name, notes: "notes of \(name)")) }
    }
    return scratch.assetFiles
  }

  private func report() throws -> MagicReport {
    try scratch.using { try $0.verify() }
  }

  private func path(_ file: String) -> String { scratch.assets + "/" + file }

  @Test func referencedFilesAreNoFindings() throws {
    _ = try makeAlbums()
    #expect(try report().findings == [])
  }

  @Test func theFilesOfADatabaseInMemoryAreConsistent() throws {
    let store = try MagicObjectStore.open(.memory)
    defer { store.close() }
    let album = Album("a", notes: "x")
    try store.update(album)
    #expect(try store.verify().findings == [])
    let file = try #require(album.notes.path)
    try FileManager.default.removeItem(at: file)
    #expect(try store.verify().findings.map(\.kind) == [.missingFile])
  }

  @Test func theFindingOfAMissingFileNamesTypeColumnAndRow() throws {
    let files = try makeAlbums()
    try FileManager.default.removeItem(atPath: path(files[0]))
    let report = try report()
    #expect(!report.isSound)
    #expect(report.findings.count == 1)
    let finding = try #require(report.findings.first)
    #expect(finding.kind == .missingFile)
    #expect(finding.type == "Album")
    #expect(finding.table == "Album")
    #expect(finding.column == "notes")
    #expect(finding.file == files[0])
    #expect([1, 2].contains(finding.zIndex?.rawValue))
  }

  @Test func aTruncatedOrLongerFileIsFound() throws {
    let files = try makeAlbums()
    try Data("x".utf8).write(to: URL(fileURLWithPath: path(files[0])))
    try Data(count: 100).write(to: URL(fileURLWithPath: path(files[1])))
    #expect(try report().findings.map(\.kind) == [.wrongSize, .wrongSize])
  }

  @Test func aSymbolicLinkOrADirectoryInPlaceOfAFileIsFound() throws {
    let files = try makeAlbums()
    for file in files { try FileManager.default.removeItem(atPath: path(file)) }
    try FileManager.default.createSymbolicLink(
      atPath: path(files[0]), withDestinationPath: scratch.file())
    try FileManager.default.createDirectory(
      atPath: path(files[1]), withIntermediateDirectories: false)
    #expect(try report().findings.map(\.kind) == [.missingFile, .missingFile])
  }

  @Test func anUnreferencedFileIsAnOrphan() throws {
    let files = try makeAlbums()
    let orphan = files[0].prefix(17) + "00000000000000aa-1.txt"
    try Data("x".utf8).write(to: URL(fileURLWithPath: path(String(orphan))))
    let finding = try #require(try report().findings.first)
    #expect(finding.kind == .orphanFile)
    #expect(finding.file == String(orphan))
  }

  @Test func anOrphanInACurrentBatchIsFoundAndAFileJustSavedIsNotAnOrphan() throws {
    try scratch.using { store throws in
      let album = Album("a", notes: "x")
      try store.update(album)
      let batch = try #require(scratch.assetFiles.first?.prefix(17))
      #expect(FileManager.default.fileExists(atPath: path(batch.dropLast() + ".open")))
      let orphan = batch + "00000000000000aa-1.txt"
      try Data("x".utf8).write(to: URL(fileURLWithPath: path(String(orphan))))
      #expect(try store.verify().findings.map(\.file) == [String(orphan)])
    }
  }

  @Test func anUnsavedAssetIsNotAnOrphan() async throws {
    let store = try scratch.open()
    try Data("content".utf8).write(to: URL(fileURLWithPath: scratch.file("source")))
    let asset = try await MagicData(store: store).asset(
      of: Data.self, contentsOf: URL(fileURLWithPath: scratch.file("source")))
    #expect(!scratch.assetFiles.isEmpty)
    #expect(try await MagicData(store: store).verify(limit: 100).findings == [])
    withExtendedLifetime(asset) {}
    store.close()
  }

  @Test func aFileThatIsBeingRemovedByACommitIsNeitherMissingNorAnOrphan() throws {
    try scratch.using { store throws in
      let album = Album("a", notes: "x")
      try store.update(album)
      let hold = try #require(try folder().lockForCopying())
      try store.remove(album)
      #expect(scratch.assetFiles.count == 1)
      #expect(try store.verify().findings == [])
      hold.release()
    }
  }

  @Test func aFileOfAnotherFormIsForeignAndNoFault() throws {
    let files = try makeAlbums()
    try Data("x".utf8).write(to: URL(fileURLWithPath: path("readme.txt")))
    try Data("x".utf8).write(to: URL(fileURLWithPath: path(files[0].prefix(17) + "mine.txt")))
    let report = try report()
    #expect(report.isSound)
    #expect(report.findings.map(\.kind) == [.foreignFile, .foreignFile])
    #expect(
      Set(report.findings.map(\.file)) == ["readme.txt", String(files[0].prefix(17)) + "mine.txt"])
  }

  @Test func anIncompletelyWrittenFileIsAnOrphan() throws {
    let files = try makeAlbums()
    let name = files[0].prefix(17) + "00000000000000aa~"
    try Data("x".utf8).write(to: URL(fileURLWithPath: path(String(name))))
    #expect(try report().findings.map(\.kind) == [.orphanFile])
  }

  @Test(arguments: ["'../../etc/passwd'", "x'00ff'", "17", "'a' || char(10) || 'b'"])
  func theFindingOfAnInvalidFileNameDoesNotContainIt(value: String) throws {
    _ = try makeAlbums()
    try scratch.change(
      """
      DROP TRIGGER "Album assets change";
      UPDATE "Album" SET "cover" = \(value) WHERE "z_index" = 2
      """)
    let findings = try report().findings
    #expect(findings.map(\.kind) == [.missingTrigger, .noFileName])
    #expect(findings.last?.zIndex?.rawValue == 2)
    #expect(
      findings.last?.description
        == "noFileName: Album.cover row 2: The value is not the name of an asset file.")
  }

  @Test func aCountThatDiffersFromTheRowsIsFound() throws {
    let files = try makeAlbums()
    try scratch.change("UPDATE magic_assets SET uses = 5 WHERE name = '\(files[0])'")
    let finding = try #require(try report().findings.first)
    #expect(finding.kind == .wrongCount)
    #expect(finding.column == "notes")
    #expect(finding.file == files[0])
    #expect(finding.message == "1 row refers to the file, but the database counts 5.")
  }

  @Test func aCountedFileWithoutAReferenceIsFound() throws {
    _ = try makeAlbums()
    try scratch.change(
      """
      DROP TRIGGER "Album assets out";
      DELETE FROM "Album" WHERE "z_index" = 1
      """)
    #expect(try report().findings.map(\.kind) == [.missingTrigger, .wrongCount])
  }

  @Test(arguments: ["in", "change", "out"])
  func aMissingTriggerIsFoundOncePerTable(_ trigger: String) throws {
    _ = try makeAlbums()
    try scratch.change("DROP TRIGGER \"Album assets \(trigger)\"")
    let report = try report()
    #expect(
      report.description
        == "missingTrigger: Album: The table lacks a trigger that counts references to files.")
    #expect(report.findings.first?.type == "Album")
    #expect(!report.isSound)
  }

  @Test func anUnlistedColumnIsFound() throws {
    _ = try makeAlbums()
    try scratch.change("DELETE FROM magic_asset_columns WHERE column_name = 'notes'")
    #expect(
      try report().description
        == "wrongCatalogue: Album.notes: The database does not list this file column.")
  }

  @Test func aReferencedFileWithoutACountIsOneFinding() throws {
    let files = try makeAlbums()
    try scratch.change("DELETE FROM magic_assets WHERE name = '\(files[0])'")
    let report = try report()
    #expect(report.findings.map(\.kind) == [.wrongCount])
  }

  @Test func uncountedReferencedFilesAreNoOrphansAlsoIfFindingsAreLimited() throws {
    _ = try makeAlbums()
    try scratch.change("DELETE FROM magic_assets")
    let report = try scratch.using { try $0.verify(limit: 1) }
    #expect(report.findings.map(\.kind) == [.wrongCount])
    #expect(!report.isComplete)
  }

  @Test func aFileOfTwoRowsIsCountedTwice() throws {
    try scratch.using { store throws in
      let first = Album("a", notes: "shared")
      try store.update(first)
      let second = Album("b")
      second.notes = first.notes
      try store.update(second)
      #expect(scratch.assetFiles.count == 1)
      #expect(try store.verify().findings == [])
    }
  }

  @Test func tablesWithoutATypeAreVerified() throws {
    let files = try makeAlbums()
    try FileManager.default.removeItem(atPath: path(files[0]))
    try scratch.change("UPDATE magic_catalogue SET type_name = 'Unknown', fingerprint = 'other'")
    #expect(try report().findings.map(\.type) == ["Unknown"])
  }

  @Test func aMissingFolderIsAMissingFileForEachRow() throws {
    _ = try makeAlbums()
    try FileManager.default.removeItem(atPath: scratch.assets)
    #expect(try report().findings.map(\.kind) == [.missingFile, .missingFile])
  }

  @Test func aVerificationChangesNothing() throws {
    let files = try makeAlbums()
    let orphan = files[0].prefix(17) + "00000000000000aa-1.txt"
    try Data("x".utf8).write(to: URL(fileURLWithPath: path(String(orphan))))
    try FileManager.default.removeItem(atPath: path(files[1]))
    let before = scratch.assetFiles
    _ = try scratch.using(MagicOptions(readOnly: true)) { try $0.verify() }
    #expect(scratch.assetFiles == before)
    #expect(before.contains(String(orphan)))
  }

  private func folder() -> AssetFolder {
    AssetFolder(DiskFileSystem(root: scratch.assets, durability: .none), path: scratch.assets)
  }
}
