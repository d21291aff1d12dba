import Foundation
import MagicTestSupport
import Testing

@Suite struct TemporaryDirectoryTests {
  @Test func everyDirectoryIsItsOwn() throws {
    let first = try TemporaryDirectory()
    let second = try TemporaryDirectory()
    #expect(first.url != second.url)
    #expect(try names(in: first.url) == [])
    #expect(try names(in: second.url) == [])
  }

  @Test func onlyTheUserCanReadIt() throws {
    let directory = try TemporaryDirectory()
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func itIsRemovedWithItsContents() throws {
    var directory: TemporaryDirectory? = try TemporaryDirectory()
    let url = try #require(directory?.url)
    try Data("x".utf8).write(to: try #require(directory?.file("store.db")))
    directory = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func foldersWithoutPermissionsAreRemovedToo() throws {
    let gone = try withTemporaryDirectory { url in
      let locked = url.appendingPathComponent("a/b")
      try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: locked.appendingPathComponent("store.db"))
      for folder in [locked, locked.deletingLastPathComponent(), url] {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o500], ofItemAtPath: folder.path)
      }
      return url
    }
    #expect(!FileManager.default.fileExists(atPath: gone.path))
  }

  @Test func symbolicLinksAreRemovedAndNotFollowed() throws {
    let outside = try TemporaryDirectory()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o500], ofItemAtPath: outside.url.path)
    try withTemporaryDirectory { url in
      try FileManager.default.createSymbolicLink(
        at: url.appendingPathComponent("link"), withDestinationURL: outside.url)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: outside.url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o500)
  }

  @Test func itExistsUntilTheEndOfTheBody() throws {
    let (url, inside) = try withTemporaryDirectory { url in
      try Data("x".utf8).write(to: url.appendingPathComponent("store.db"))
      return (url, try names(in: url))
    }
    #expect(inside == ["store.db"])
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func itExistsUntilTheEndOfAnAsynchronousBody() async throws {
    let (url, existed) = try await withTemporaryDirectory { url in
      await Task.yield()
      return (url, FileManager.default.fileExists(atPath: url.path))
    }
    #expect(existed)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func itIsRemovedWhenTheBodyThrows() throws {
    struct Stop: Error {}
    var seen: URL?
    #expect(throws: Stop.self) {
      try withTemporaryDirectory { url in
        seen = url
        throw Stop()
      }
    }
    let url = try #require(seen)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }
}
