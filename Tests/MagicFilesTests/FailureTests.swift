import Foundation
import MagicFiles
import MagicTestSupport
import Testing

@Suite struct AssetFailureTests {
  private let place: Place
  private let files: FaultyFileSystem
  private let folder: AssetFolder

  init() throws {
    place = try Place()
    files = place.faulty()
    folder = place.folder(files)
  }

  @Test(arguments: [
    (FileError.Operation.makeDirectory, ENOSPC, FileError.Code.diskFull),
    (.lock, EROFS, .readOnly), (.create, EDQUOT, .diskFull), (.create, EACCES, .denied),
    (.create, EMFILE, .tooManyOpen), (.write, ENOSPC, .diskFull), (.write, EIO, .other),
    (.close, EIO, .other),
  ])
  func failedStagingLeavesNothing(
    _ operation: FileError.Operation, _ number: Int32, _ expected: FileError.Code
  ) throws {
    files.fail(operation, with: number)
    #expect(code { _ = try folder.stage("hello") } == expected)
    #expect(try folder.paths() == [])
    #expect(try folder.text(of: folder.put("again")) == "again")
  }

  @Test(arguments: [
    (FileError.Operation.sync, 1), (.sync, 2), (.rename, 1), (.rename, 2),
    (.syncDirectory, 1), (.syncDirectory, 2), (.syncDirectory, 3),
  ])
  func failedPublicationsCanBeDiscarded(_ operation: FileError.Operation, _ position: Int) throws {
    let staged = try [folder.stage("a"), folder.stage("b")]
    files.fail(operation, at: position, with: ENOSPC)
    #expect(code { try folder.publish(staged) } == .diskFull)
    folder.discard(staged)
    #expect(try folder.paths() == [])
  }

  @Test func failedPublicationsCanBeRepeated() throws {
    let staged = try [folder.stage("a"), folder.stage("b")]
    files.fail(.syncDirectory, with: EIO)
    #expect(code { try folder.publish(staged) } == .other)
    #expect(code { try folder.publish(staged) } == nil)
    #expect(try folder.names() == Set(staged.map(\.name)))
  }

  @Test func filesThatCouldNotBeSyncedAreNotPublishedLater() throws {
    do {
      let staged = try [folder.stage("a"), folder.stage("b")]
      files.fail(.sync, with: EIO)
      #expect(code { try folder.publish(staged) } == .other)
      // The system reports it once: a second attempt would succeed.
      #expect(code { try folder.publish(staged) } != nil)
    }
    #expect(try folder.paths() == [])
  }

  @Test func filesOfAFailedPublicationAreRemovedWhenTheyAreReleased() throws {
    do {
      let staged = try [folder.stage("a"), folder.stage("b")]
      files.fail(.rename, at: 2, with: EIO)
      #expect(code { try folder.publish(staged) } == .other)
    }
    #expect(try folder.paths() == [])
  }

  @Test func anUnreadableParentDirectoryIsNoFailure() throws {
    files.fail(.syncDirectory, at: 1, with: EACCES)
    _ = try folder.put("a")
    #expect(files.steps.contains(.init(.syncDirectory, "..")))
  }

  @Test func aFailedStreamRefusesWrites() throws {
    let sink = try folder.beginStaging(pathExtension: nil)
    files.fail(.write, with: ENOSPC)
    #expect(code { try sink.write(Data("hello".utf8)) } == .diskFull)
    #expect(code { try sink.write(Data("hello".utf8)) } == .diskFull)
    #expect(code { _ = try sink.finish() } == .diskFull)
  }

  @Test func aFailedReadIsReported() throws {
    let name = try folder.put("hello")
    files.fail(.read, with: EIO)
    #expect(code { _ = try folder.text(of: name) } == .other)
    #expect(try folder.text(of: name) == "hello")
  }

  @Test(.enabled(if: geteuid() != 0, "The super-user may write everywhere."))
  func aFolderWithoutWritePermissionIsRefused() throws {
    let name = try place.folder().put("hello")
    let folder = place.folder()
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: place.root.path)
    #expect(code { _ = try folder.stage("more") } == .denied)
    #expect(try folder.text(of: name) == "hello")
  }

  @Test func aFolderThatCannotBeWrittenIsReportedAndKeepsItsFiles() throws {
    let name = try folder.put("hello")
    folder.close()
    let folder = place.folder(files)
    files.fail(.lock, with: EROFS, isLasting: true)
    #expect(code { _ = try folder.stage("more") } == .readOnly)
    #expect(folder.remove([name]) == [])
    #expect(code { _ = try folder.lockForCopying() } == .readOnly)
    #expect(try folder.text(of: name) == "hello")
  }

  @Test func aFileInPlaceOfTheFolderIsReported() throws {
    try Data().write(to: place.root)
    #expect(code { _ = try folder.stage("hello") } == .notAFile)
    #expect(code { _ = try folder.sweep() } == .notAFile)
  }

  @Test func aFolderWhoseDirectoryIsMissingIsNotFound() throws {
    let path = place.beside("missing/people-assets").path
    let folder = AssetFolder(DiskFileSystem(root: path, durability: .none), path: path)
    #expect(code { _ = try folder.stage("hello") } == .notFound)
  }
}
