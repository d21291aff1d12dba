import Foundation
import MagicFiles
import MagicTestSupport
import Testing

@Suite struct AssetRemovingTests {
  private let place: Place
  private let folder: AssetFolder

  init() throws {
    place = try Place()
    folder = place.folder()
  }

  @Test func removedFilesNoLongerExist() throws {
    let names = try ["a", "b", "c"].map { try folder.put($0) }
    #expect(folder.remove([names[0], names[2]]) == [names[0], names[2]])
    #expect(try folder.names() == [names[1]])
    try folder.syncRemoval(of: names)
  }

  @Test func removingAMissingFileSucceeds() throws {
    let name = try #require(AssetName(someName))
    #expect(folder.remove([name]) == [name])
    #expect(!place.exists(""))
    let known = try folder.put("a")
    #expect(folder.remove([name, known]) == [name, known])
    #expect(folder.remove([known]) == [known])
  }

  @Test func filesThatCannotBeRemovedAreNotReturned() throws {
    let files = place.faulty()
    let folder = place.folder(files)
    let names = try ["a", "b", "c"].map { try folder.put($0) }
    files.fail(.remove, at: 2, with: EIO)
    #expect(folder.remove(names) == [names[0], names[2]])
    #expect(try folder.names() == [names[1]])
  }

  @Test func aDirectoryInPlaceOfAFileIsNotRemoved() throws {
    let name = try folder.put("a")
    try FileManager.default.removeItem(at: place.file(name.text))
    try place.makeDirectory(name.text)
    #expect(folder.remove([name]) == [])
    #expect(place.exists(name.text))
  }

  @Test func directoriesOfRemovedFilesAreSyncedOnceEach() throws {
    let files = place.faulty()
    let folder = place.folder(files)
    let names = try ["a", "b", "c"].map { try folder.put($0) }
    let before = files.count(of: .syncDirectory)
    try folder.syncRemoval(of: names)
    #expect(files.count(of: .syncDirectory) == before + 1)
  }

  @Test func theFolderIsSyncedInPlaceOfAMissingDirectory() throws {
    let files = place.faulty(.full)
    let folder = place.folder(files)
    let name = try folder.put("a")
    try FileManager.default.removeItem(at: place.file(name.batch))
    try folder.syncRemoval(of: [name])
    #expect(files.steps.last == .init(.syncDirectory, ""))
  }

  @Test func aFailedSyncIsReported() throws {
    let files = place.faulty()
    let folder = place.folder(files)
    let name = try folder.put("a")
    files.fail(.syncDirectory, with: EIO)
    #expect(code { try folder.syncRemoval(of: [name]) } == .other)
  }
}

@Suite struct HoldTests {
  private let place: Place
  private let folder: AssetFolder

  init() throws {
    place = try Place()
    folder = place.folder()
  }

  @Test func nothingIsRemovedWhileTheFolderIsHeld() throws {
    let name = try folder.put("a")
    let hold = try #require(try folder.lockForCopying())
    #expect(folder.remove([name]) == [])
    #expect(try folder.text(of: name) == "a")
    hold.release()
    hold.release()
    #expect(folder.remove([name]) == [name])
  }

  @Test func anotherSessionCanHoldItToo() throws {
    let name = try folder.put("a")
    let hold = try #require(try place.folder().lockForCopying())
    #expect(folder.remove([name]) == [])
    hold.release()
    #expect(folder.remove([name]) == [name])
  }

  @Test func severalSessionsMayHoldIt() throws {
    let name = try folder.put("a")
    let first = try #require(try folder.lockForCopying())
    let second = try #require(try place.folder().lockForCopying())
    first.release()
    #expect(folder.remove([name]) == [])
    second.release()
    #expect(folder.remove([name]) == [name])
  }

  @Test func aReleasedHoldEnds() throws {
    let name = try folder.put("a")
    var hold = try folder.lockForCopying()
    #expect(hold != nil)
    hold = nil
    #expect(folder.remove([name]) == [name])
  }

  @Test func aFolderCannotBeHeldDuringARemoval() throws {
    let folder = folder
    let taken = Counter()
    let files = FaultyFileSystem(place.disk()) { operation, path in
      guard operation == .remove, path.contains("/") else { return }
      if (try? folder.lockForCopying()) == nil { taken.add(1) }
    }
    let remover = place.folder(files)
    let name = try folder.put("a")
    #expect(remover.remove([name]) == [name])
    #expect(taken.value == 1)
    #expect(try folder.lockForCopying() != nil)
  }

  @Test func aMissingFolderCanBeHeld() throws {
    let hold = try #require(try folder.lockForCopying())
    #expect(!place.exists(""))
    hold.release()
  }

  @Test func aHeldFolderIsNotSwept() throws {
    try place.makeDirectory(someBatch)
    try place.write("abc", to: someName)
    try place.write("", to: "\(someBatch).open")
    let hold = try #require(try folder.lockForCopying())
    #expect(try place.folder().sweep() == 0)
    #expect(place.exists(someName))
    hold.release()
    #expect(try place.folder().sweep() == 1)
  }

  @Test func filesCanBeAddedWhileTheFolderIsHeld() throws {
    _ = try folder.put("a")
    let hold = try #require(try folder.lockForCopying())
    let name = try folder.put("b")
    #expect(try folder.text(of: name) == "b")
    hold.release()
  }
}
