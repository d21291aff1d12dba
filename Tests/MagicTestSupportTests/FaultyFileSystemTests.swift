import Foundation
import MagicFiles
import MagicTestSupport
import Testing

@Suite struct FaultyFileSystemTests {
  private let directory: TemporaryDirectory
  private let files: FaultyFileSystem

  init() throws {
    directory = try TemporaryDirectory()
    files = FaultyFileSystem(DiskFileSystem(root: directory.url.path, durability: .none))
  }

  private func number(_ body: () throws -> Void) -> Int32? {
    do {
      try body()
      return nil
    } catch {
      return (error as? FileError)?.number
    }
  }

  private func write(_ text: String, to path: String) throws {
    let file = try files.create(path)
    try Data(text.utf8).withUnsafeBytes { try file.write($0) }
    try file.close()
  }

  @Test func withoutFaultsItCallsTheOtherFileSystem() throws {
    try write("hello", to: "a")
    try files.rename("a", to: "b")
    #expect(try files.open("b").size == 5)
    #expect(files.steps.map(\.operation) == [.create, .write, .close, .rename, .open])
    #expect(files.count(of: .rename) == 1)
    #expect(files.count() == 5)
  }

  @Test func onlyTheChosenOperationFailsAndIsNotPerformed() throws {
    files.fail(.makeDirectory, at: 2, with: ENOSPC)
    #expect(try files.makeDirectory("a"))
    #expect(number { _ = try files.makeDirectory("b") } == ENOSPC)
    #expect(try files.makeDirectory("c"))
    #expect(try files.list("").map(\.name).sorted() == ["a", "c"])
  }

  @Test func aLastingFaultRemains() throws {
    files.fail(.makeDirectory, with: EROFS, isLasting: true)
    #expect(number { _ = try files.makeDirectory("a") } == EROFS)
    #expect(number { _ = try files.makeDirectory("a") } == EROFS)
    files.heal()
    #expect(try files.makeDirectory("a"))
  }

  @Test func aFailedWriteWritesItsFirstHalf() throws {
    files.fail(.write, with: ENOSPC)
    #expect(number { try write("abcdef", to: "a") } == ENOSPC)
    #expect(try String(contentsOf: directory.file("a"), encoding: .utf8) == "abc")
  }

  @Test func afterTheStopNoOperationIsPerformed() throws {
    files.stop(after: 2)
    #expect(try files.makeDirectory("a"))
    #expect(try files.makeDirectory("b"))
    #expect(number { _ = try files.makeDirectory("c") } == EIO)
    #expect(number { try files.removeDirectory("a") } == EIO)
    #expect(number { _ = try files.lock("l", isShared: true) } == EIO)
    files.heal()
    #expect(try files.list("").map(\.name).sorted() == ["a", "b"])
  }

  @Test func theClosureReceivesPerformedOperations() throws {
    let seen = Recorder<String>()
    let files = FaultyFileSystem(DiskFileSystem(root: directory.url.path, durability: .none)) {
      seen.note("\($0) \($1)")
    }
    files.fail(.makeDirectory, at: 2, with: EIO)
    _ = try files.makeDirectory("a")
    _ = number { _ = try files.makeDirectory("b") }
    _ = try files.list("a")
    #expect(seen.all == ["makeDirectory a", "list a"])
  }
}
