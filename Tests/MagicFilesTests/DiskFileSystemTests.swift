import Foundation
import MagicFiles
import Testing

@Suite struct DiskFileSystemTests {
  private let place: Place
  private let disk: DiskFileSystem

  init() throws {
    place = try Place()
    disk = place.disk(.full)
  }

  private func makeBatch() throws {
    #expect(try disk.makeDirectory(""))
    #expect(try disk.makeDirectory("b"))
  }

  private func make(_ path: String, _ text: String = "abc") throws {
    let file = try disk.create(path)
    try Data(text.utf8).withUnsafeBytes { try file.write($0) }
    try file.close()
  }

  @Test func aMissingFolderIsNotFound() {
    #expect(code { _ = try disk.list("") } == .notFound)
    #expect(code { _ = try disk.open("b/f") } == .notFound)
    #expect(code { _ = try disk.lock("hold", isShared: true) } == .notFound)
    #expect(code { _ = try disk.makeDirectory("b") } == .notFound)
  }

  @Test func aDirectoryIsCreatedOnce() throws {
    try makeBatch()
    #expect(try !disk.makeDirectory(""))
    #expect(try !disk.makeDirectory("b"))
  }

  @Test func onlyTheOwnerCanAccessDirectoriesAndFiles() throws {
    try makeBatch()
    try make("b/f")
    _ = try disk.lock("hold", isShared: true)
    #expect(try place.rights("") == 0o700)
    #expect(try place.rights("b") == 0o700)
    #expect(try place.rights("b/f") == 0o600)
    #expect(try place.rights("hold") == 0o600)
  }

  @Test func anExistingFileIsNotOverwritten() throws {
    try makeBatch()
    try make("b/f")
    #expect(code { _ = try disk.create("b/f") } == .exists)
    #expect(try String(contentsOf: place.file("b/f"), encoding: .utf8) == "abc")
  }

  @Test func writtenBytesAreRead() throws {
    try makeBatch()
    try make("b/f", "hello")
    let file = try disk.open("b/f")
    #expect(file.size == 5)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) } == 5)
    #expect(bytes[..<5] == ArraySlice("hello".utf8))
    #expect(try bytes.withUnsafeMutableBytes { try file.read(at: 3, into: $0) } == 2)
    #expect(bytes[..<2] == ArraySlice("lo".utf8))
    #expect(try bytes.withUnsafeMutableBytes { try file.read(at: 5, into: $0) } == 0)
    file.close()
    file.close()
    #expect(
      code { _ = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) } } == .other)
  }

  @Test func aClosedFileRefusesWrites() throws {
    try makeBatch()
    let file = try disk.create("b/f")
    try file.close()
    try file.close()
    #expect(code { try Data([1]).withUnsafeBytes { try file.write($0) } } == .other)
  }

  @Test func syncingRequiresAnExistingFile() throws {
    try makeBatch()
    try make("b/f")
    try disk.sync("b/f")
    try disk.syncDirectory("b")
    try disk.syncDirectory("")
    try disk.syncDirectory("..")
    #expect(code { try disk.sync("b/g") } == .notFound)
    #expect(code { try disk.sync("b") } == .notAFile)
    #expect(code { try disk.syncDirectory("c") } == .notFound)
    #expect(code { try disk.syncDirectory("b/f") } == .notAFile)
  }

  @Test func renamingKeepsTheContent() throws {
    try makeBatch()
    try make("b/f")
    try disk.rename("b/f", to: "b/g")
    #expect(try place.names(in: "b") == ["g"])
    #expect(code { try disk.rename("b/f", to: "b/h") } == .notFound)
  }

  @Test func listingReportsTheKindOfEachEntry() throws {
    try makeBatch()
    try make("f")
    try place.link("l", to: place.file("f"))
    try place.link("d", to: place.file("b"))
    let entries = try disk.list("").sorted { $0.name < $1.name }
    #expect(
      entries == [
        FileEntry(name: "b", kind: .directory), FileEntry(name: "d", kind: .other),
        FileEntry(name: "f", kind: .file), FileEntry(name: "l", kind: .other),
      ])
  }

  @Test func onlyRegularFilesAreRemoved() throws {
    try makeBatch()
    try make("b/f")
    try place.link("b/l", to: place.file("b/f"))
    #expect(code { try disk.remove("b/l") } == .notAFile)
    #expect(code { try disk.remove("b") } == .notAFile)
    #expect(try place.names(in: "b") == ["f", "l"])
    try disk.remove("b/f")
    #expect(code { try disk.remove("b/f") } == .notFound)
  }

  @Test func aDirectoryIsRemovedWhenItIsEmpty() throws {
    try makeBatch()
    try make("b/f")
    #expect(code { try disk.removeDirectory("b") } == .other)
    try disk.remove("b/f")
    try disk.removeDirectory("b")
    #expect(code { try disk.removeDirectory("b") } == .notFound)
  }

  @Test func aSymbolicLinkToADirectoryIsNotFollowed() throws {
    try makeBatch()
    let outside = place.beside("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: false)
    try Data("abc".utf8).write(to: outside.appendingPathComponent("f"))
    try place.link("l", to: outside)
    #expect(code { _ = try disk.open("l/f") } == .notAFile)
    #expect(code { _ = try disk.create("l/g") } == .notAFile)
    #expect(code { _ = try disk.list("l") } == .notAFile)
    #expect(code { try disk.remove("l/f") } == .notAFile)
    #expect(code { try disk.rename("l/f", to: "b/f") } == .notAFile)
    #expect(code { _ = try disk.lock("l/hold", isShared: false) } == .notAFile)
    #expect(code { try disk.syncDirectory("l") } == .notAFile)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["f"])
  }

  @Test func aSymbolicLinkToAFileIsNotFollowed() throws {
    try makeBatch()
    try make("f")
    try place.link("b/l", to: place.file("f"))
    #expect(code { _ = try disk.open("b/l") } == .notAFile)
    #expect(code { try disk.sync("b/l") } == .notAFile)
    #expect(code { _ = try disk.lock("b/l", isShared: true) } == .notAFile)
    #expect(code { _ = try disk.create("b/l") } == .exists)
  }

  @Test(.timeLimit(.minutes(5))) func aPipeIsNotWaitedFor() throws {
    try makeBatch()
    #expect(mkfifo(place.file("b/p").path, 0o600) == 0)
    #expect(code { _ = try disk.open("b/p") } == .notAFile)
    #expect(code { _ = try disk.lock("b/p", isShared: true) } == .notAFile)
  }

  @Test func aPathCannotReferToAParentDirectory() throws {
    try makeBatch()
    try Data("abc".utf8).write(to: place.beside("f"))
    #expect(code { _ = try disk.open("../f") } == .other)
    #expect(code { _ = try disk.open("b/../../f") } == .other)
  }

  @Test func theFolderItselfMayBeASymbolicLink() throws {
    try makeBatch()
    try make("b/f")
    let link = place.beside("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place.root)
    let linked = DiskFileSystem(root: link.path, durability: .none)
    #expect(try linked.open("b/f").size == 3)
  }

  @Test func aFileInPlaceOfTheFolderIsReported() throws {
    try Data().write(to: place.root)
    #expect(try !disk.makeDirectory(""))
    #expect(code { _ = try disk.list("") } == .notAFile)
  }

  @Test func anErrorIsASentence() {
    #expect(
      FileError(.write, "b/f", number: ENOSPC).description
        == "The file b/f cannot be written: No space left on device.")
    #expect(
      FileError(.open, someName, code: .wrongSize).description
        == "The file \(someName) cannot be opened: its size differs from the size in its name.")
    #expect(
      FileError(.list, "", number: ENOENT).description
        == "The folder cannot be listed: No such file or directory.")
  }

  @Test(arguments: [
    (ENOENT, FileError.Code.notFound), (ENOSPC, .diskFull), (EDQUOT, .diskFull),
    (EACCES, .denied), (EPERM, .denied), (EROFS, .readOnly), (EEXIST, .exists),
    (ELOOP, .notAFile), (EISDIR, .notAFile), (ENOTDIR, .notAFile), (EMFILE, .tooManyOpen),
    (ENFILE, .tooManyOpen), (EIO, .other),
  ])
  func anErrorNumberOfTheSystemHasACode(_ number: Int32, _ code: FileError.Code) {
    #expect(FileError(.open, "f", number: number).code == code)
  }
}
