import Foundation
import MagicFiles
import MagicTestSupport
import Testing

/// Queries of a folder that do not change it.
@Suite struct FolderLookingTests {
  let directory: TemporaryDirectory
  let folder: AssetFolder

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.file("assets").path
    folder = AssetFolder(DiskFileSystem(root: path, durability: .none), path: path)
  }

  @Test func aBatchIsMarkedUntilItIsReleased() throws {
    let staged = try folder.stage(pathExtension: nil) { try $0.write(Data("x".utf8)) }
    #expect(folder.isMarked(staged.name.batch))
    #expect(!folder.isMarked("0000000000000000"))
    #expect(!folder.exists(staged.name.text))
    try folder.publish([staged])
    #expect(folder.exists(staged.name.text))
    folder.close()
  }

  @Test func aMissingFolderHasNoFiles() {
    #expect(!folder.exists("0000000000000000/0000000000000000-1"))
    #expect(!folder.isMarked("0000000000000000"))
  }

  @Test func aHoldReportsWhetherTheFolderExists() throws {
    let void = try #require(try folder.lockForCopying())
    #expect(!void.isLocked)
    _ = try folder.stage(pathExtension: nil) { try $0.write(Data("x".utf8)) }
    let hold = try #require(try folder.lockForCopying())
    #expect(hold.isLocked)
    hold.release()
    #expect(!hold.isLocked)
  }

  @Test(arguments: [
    ("0123456789abcdef/0123456789abcdef~", "0123456789abcdef" as String?),
    ("0123456789abcdef/0123456789abcdef-1", nil), ("0123456789abcdef~", nil),
    ("0123456789abcdef/x~", nil), ("a/b/0123456789abcdef~", nil),
  ])
  func onlyTheNameOfAFileThatIsBeingWrittenHasItsBatch(path: String, batch: String?) {
    #expect(AssetFolder.batch(ofTemporary: path) == batch)
  }
}
