import Foundation
import MagicFiles
import MagicTestSupport
import Testing

@Suite struct BatchTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test func aBatchIsMarkedWhileFilesMayBeAdded() throws {
    let folder = place.folder()
    let name = try folder.put("hello")
    #expect(try place.marks() == ["\(name.batch).open"])
    folder.close()
    #expect(try place.marks() == [])
    #expect(try place.names() == [name.batch])
  }

  @Test func theMarkerIsRemovedWhenTheFolderIsReleased() throws {
    do {
      let folder = place.folder()
      _ = try folder.put("hello")
      #expect(try place.marks().count == 1)
    }
    #expect(try place.marks() == [])
  }

  @Test func theMarkerIsKeptWhileAFileIsStaged() throws {
    let folder = place.folder()
    var staged: StagedFile? = try folder.stage("hello")
    folder.close()
    #expect(try place.marks().count == 1)
    if let staged { try folder.publish([staged]) }
    // The row that names it may not be committed yet.
    #expect(try place.marks().count == 1)
    staged = nil
    #expect(try place.marks() == [])
    #expect(try folder.names().count == 1)
  }

  @Test func anEmptyBatchIsRemoved() throws {
    let folder = place.folder()
    folder.discard([try folder.stage("hello")])
    folder.close()
    #expect(try place.names() == [])
  }

  @Test func theRemovalOfDiscardedFilesIsDurableBeforeThatOfTheMarker() throws {
    let files = place.faulty()
    let folder = place.folder(files)
    let name = try folder.put("hello")
    folder.discard([try folder.stage("discarded")])
    folder.close()
    let mark = "\(name.batch).open"
    #expect(
      files.steps.suffix(2) == [.init(.syncDirectory, name.batch), .init(.remove, mark)])
  }

  @Test func theMarkerIsKeptIfTheSyncFails() throws {
    let files = place.faulty()
    let folder = place.folder(files)
    let name = try folder.put("hello")
    folder.discard([try folder.stage("discarded")])
    files.fail(.syncDirectory, with: EIO)
    folder.close()
    #expect(try place.marks() == ["\(name.batch).open"])
    #expect(try place.folder().sweep(referenced: [name]) == 0)
    #expect(try place.marks() == [])
  }

  @Test func filesOfASessionShareABatch() throws {
    let folder = place.folder()
    let names = try (0..<20).map { try folder.put("\($0)") }
    #expect(Set(names.map(\.batch)).count == 1)
  }

  @Test func noDirectoryHasMoreThanAThousandFiles() throws {
    let folder = place.folder()
    let staged = try (0..<3_000).map { try folder.stage("\($0)") }
    try folder.publish(staged)
    let batches = try place.batches()
    #expect(batches.count == 3)
    for batch in batches { #expect(try place.names(in: batch).count == 1_000) }
    // All have their markers until their files are released.
    #expect(try place.marks().count == 3)
    withExtendedLifetime(staged) {}
  }

  @Test func theMarkerOfAFullBatchIsRemovedWithTheReleaseOfItsLastFile() throws {
    let folder = place.folder()
    for number in 0..<1_000 { _ = try folder.put("\(number)") }
    let last = try folder.put("last")
    #expect(try place.marks() == ["\(last.batch).open"])
    #expect(try place.batches().count == 2)
  }

  @Test func aBatchWhoseFilesWereRemovedIsUsedAgain() throws {
    let folder = place.folder()
    for number in 0..<2_500 {
      let name = try folder.put("\(number)")
      #expect(folder.remove([name]) == [name])
    }
    #expect(try place.batches().count == 1)
  }

  @Test func aLaterSessionUsesTheBatchAgain() throws {
    let first = place.folder()
    let name = try first.put("first")
    first.close()
    let second = place.folder()
    #expect(try second.put("second").batch == name.batch)
    #expect(try place.batches().count == 1)
  }

  @Test func aBatchOfAnotherSessionIsNotUsed() throws {
    let first = place.folder()
    let name = try first.put("first")
    let second = place.folder()
    #expect(try second.put("second").batch != name.batch)
  }

  @Test func aBatchOfFiveHundredIsNotUsedAgain() throws {
    try place.makeDirectory(someBatch)
    for number in 0..<500 { try place.write("", to: "\(someBatch)/\(number)") }
    let folder = place.folder()
    #expect(try folder.put("hello").batch != someBatch)
    #expect(!place.exists("\(someBatch).open"))
    folder.close()
    try FileManager.default.removeItem(at: place.file("\(someBatch)/0"))
    for batch in try place.batches() where batch != someBatch {
      try FileManager.default.removeItem(at: place.file(batch))
    }
    #expect(try place.folder().put("hello").batch == someBatch)
  }

  @Test func aBatchWithUnknownFilesIsNotUsed() throws {
    try place.makeDirectory(someBatch)
    try place.write("", to: "\(someBatch).open")
    #expect(try place.folder().put("hello").batch != someBatch)
    #expect(place.exists("\(someBatch).open"))
  }

  @Test func aSymbolicLinkIsNotABatch() throws {
    try place.makeDirectory("")
    let outside = place.beside("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: false)
    try place.link(someBatch, to: outside)
    #expect(try place.folder().put("hello").batch != someBatch)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
  }

  @Test func anotherBatchIsCreatedAfterAnExternalRemoval() throws {
    let folder = place.folder()
    let name = try folder.put("first")
    try FileManager.default.removeItem(at: place.file(name.batch))
    let next = try folder.put("second")
    #expect(next.batch != name.batch)
    #expect(try folder.text(of: next) == "second")
    #expect(try place.marks() == ["\(next.batch).open"])
  }

  @Test func anExternalRemovalOfTheFolderIsAnError() throws {
    let folder = place.folder()
    let name = try folder.put("first")
    try FileManager.default.removeItem(at: place.root)
    #expect(code { _ = try folder.stage("second") } == .notFound)
    #expect(code { _ = try folder.open(name) } == .notFound)
    #expect(folder.remove([name]) == [name])
    try folder.syncRemoval(of: [name])
    #expect(try folder.sweep() == 0)
    #expect(try folder.paths() == [])
  }

  @Test func aBatchRemovedBeforeItsFilesArePublishedIsAnError() throws {
    let folder = place.folder(place.disk(.full))
    let staged = try folder.stage("first")
    try FileManager.default.removeItem(at: place.file(staged.name.batch))
    #expect(code { try folder.publish([staged]) } == .notFound)
  }
}
