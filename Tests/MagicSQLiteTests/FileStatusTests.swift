import CMagicRuntime
import Foundation
import MagicRuntime
import MagicTestSupport
import Testing

@Suite struct FileStatusTests {
  @Test func aFileHasTheSameAttributesWithAndWithoutItsTime() throws {
    let scratch = Scratch()
    let path = scratch.file()
    try Data("content".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.linkItem(atPath: path, toPath: scratch.file("link"))
    let full = try #require(FileStatus(path: path))
    let examined = try #require(FileStatus(path: path, withTime: false))
    #expect(full.modified > 0)
    #expect((examined.size, examined.links) == (7, 2))
    #expect((full.size, full.links) == (7, 2))
    #expect(FileIdentity(examined) == FileIdentity(full))
    #expect(FileIdentity(path: scratch.file("link")) == FileIdentity(full))
  }

  @Test(arguments: [true, false])
  func symbolicLinksAreFollowedAndAMissingFileHasNoAttributes(withTime: Bool) throws {
    let scratch = Scratch()
    let path = scratch.file()
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("link"), withDestinationPath: path)
    #expect(FileStatus(path: path, withTime: withTime) == nil)
    #expect(FileStatus(path: scratch.file("link"), withTime: withTime) == nil)
    try Data("content".utf8).write(to: URL(fileURLWithPath: path))
    #expect(FileStatus(path: scratch.file("link"), withTime: withTime)?.size == 7)
  }
}
