import Foundation
import MagicFiles
import MagicTestSupport
import Testing

@Suite struct StagingTests {
  private let place: Place
  private let folder: AssetFolder

  init() throws {
    place = try Place()
    folder = place.folder()
  }

  @Test func creatingAFolderValueDoesNotAccessTheDisk() {
    folder.close()
    #expect(!place.exists(""))
  }

  @Test func aPublishedFileHasTheWrittenContent() throws {
    let staged = try folder.stage(pathExtension: "txt") { sink in
      try sink.write(Data("hello, ".utf8))
      try sink.write(Data("world".utf8))
    }
    try folder.publish([staged])
    #expect(try folder.text(of: staged.name) == "hello, world")
    #expect(staged.name.size == 12)
    #expect(staged.name.pathExtension == "txt")
    #expect(AssetName(staged.name.text) == staged.name)
    #expect(
      try Data(contentsOf: folder.url(of: staged.name)) == Data("hello, world".utf8))
  }

  @Test func anEmptyFileIsValid() throws {
    let name = try folder.put("")
    #expect(name.size == 0)
    #expect(try folder.text(of: name) == "")
  }

  @Test func aStagedFileDoesNotHaveItsFinalName() throws {
    let staged = try folder.stage("hello")
    #expect(!place.exists(staged.name.text))
    // Code of this process that already has the name can read it.
    #expect(code { _ = try folder.open(staged.name) } == nil)
    let names = try place.names(in: staged.name.batch)
    #expect(names.count == 1)
    #expect(names.allSatisfy { $0.hasSuffix("~") })
  }

  @Test func onlyTheOwnerCanAccessFilesAndBatches() throws {
    let name = try folder.put("hello")
    #expect(try place.rights("") == 0o700)
    #expect(try place.rights(name.batch) == 0o700)
    #expect(try place.rights(name.text) == 0o600)
    #expect(try place.rights(name.batch + ".open") == 0o600)
  }

  @Test func aBodyThatThrowsLeavesNothing() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      _ = try folder.stage(pathExtension: nil) { sink in
        try sink.write(Data("hello".utf8))
        throw Stop()
      }
    }
    #expect(try folder.paths() == [])
  }

  @Test func aReleasedStreamIsRemoved() throws {
    var sink: FileSink? = try folder.beginStaging(pathExtension: nil)
    try sink?.write(Data("hello".utf8))
    #expect(try folder.paths().count == 1)
    sink = nil
    #expect(try folder.paths() == [])
  }

  @Test func aStreamEndsOnce() throws {
    let sink = try folder.beginStaging(pathExtension: "bin")
    try sink.write(Data([1, 2, 3]))
    let staged = try sink.finish()
    #expect(code { _ = try sink.finish() } != nil)
    #expect(code { try sink.write(Data([4])) } != nil)
    try folder.publish([staged])
    #expect(try folder.open(staged.name).size == 3)
  }

  @Test func aReleasedStagedFileIsRemoved() throws {
    var staged: StagedFile? = try folder.stage("hello")
    #expect(try folder.paths().count == 1)
    staged = nil
    #expect(try folder.paths() == [])
    #expect(staged == nil)
  }

  @Test func aReleasedPublishedFileIsKept() throws {
    let name = try folder.put("hello")
    #expect(try folder.text(of: name) == "hello")
  }

  @Test func discardingRemovesStagedAndPublishedFiles() throws {
    let files = try [folder.stage("a"), folder.stage("b")]
    try folder.publish([files[0]])
    folder.discard(files)
    folder.discard(files)
    #expect(try folder.paths() == [])
    #expect(code { try folder.publish([files[1]]) } == .notFound)
  }

  @Test func publishingTwiceChangesNothing() throws {
    let staged = try folder.stage("hello")
    try folder.publish([staged])
    try folder.publish([staged])
    #expect(try folder.text(of: staged.name) == "hello")
  }

  @Test(arguments: ["", ".txt", "a..b", "a/b", "../x", "\0", String(repeating: "a", count: 33)])
  func anInvalidExtensionIsRefused(_ pathExtension: String) {
    #expect(code { _ = try folder.stage("hello", pathExtension) } == .other)
    #expect(!place.exists(""))
  }

  @Test func anErrorDoesNotContainAnInvalidExtension() {
    do {
      _ = try folder.stage("hello", "se/cret")
      Issue.record("It was taken.")
    } catch {
      #expect(!"\(error)".contains("cret"))
    }
  }

  @Test func publishingSyncsTheMarkerThenFilesThenTheirNames() throws {
    let files = place.faulty()
    let folder = place.folder(files)
    let staged = try [folder.stage("a"), folder.stage("b")]
    let before = files.steps.count
    try folder.publish(staged)
    #expect(
      files.steps[before...].map(\.operation) == [
        .syncDirectory, .syncDirectory, .sync, .sync, .rename, .rename, .syncDirectory,
      ])
    #expect(files.steps[before...].prefix(2).map(\.path) == ["..", ""])
    #expect(files.steps.last?.path == staged[0].name.batch)
    let next = try folder.stage("c")
    let later = files.steps.count
    try folder.publish([next])
    #expect(files.steps[later...].map(\.operation) == [.sync, .rename, .syncDirectory])
  }

  @Test func aTruncatedFileHasTheWrongSize() throws {
    let name = try folder.put("hello")
    try place.write("hell", to: name.text)
    #expect(code { _ = try folder.open(name) } == .wrongSize)
    try place.write("hello!", to: name.text)
    #expect(code { _ = try folder.open(name) } == .wrongSize)
  }

  @Test func aMissingFileIsNotFound() throws {
    let name = try #require(AssetName(someName))
    #expect(code { _ = try folder.open(name) } == .notFound)
  }

  @Test func theURLIsThatOfTheFolderAndTheName() throws {
    let name = try #require(AssetName(someName))
    #expect(folder.url(of: name).path == place.root.path + "/" + someName)
  }
}
