import Foundation
import MagicFiles
import MagicTestSupport
import Testing

@Suite struct SweepTests {
  private let place: Place

  init() throws { place = try Place() }

  /// The state of a batch after its process has ended.
  private func leave(_ files: [String], batch: String = someBatch) throws {
    try place.makeDirectory(batch)
    for file in files { try place.write("abc", to: "\(batch)/\(file)") }
    try place.write("", to: "\(batch).open")
  }

  @Test func aMissingFolderHasNothingToSweep() throws {
    #expect(try place.folder().sweep() == 0)
    #expect(!place.exists(""))
  }

  @Test func filesWithoutAReferenceAreRemoved() throws {
    try leave(["00000000000000bb-3", "00000000000000cc-3.txt", "00000000000000dd~"])
    let referenced = try #require(AssetName("\(someBatch)/00000000000000cc-3.txt"))
    #expect(try place.folder().sweep(referenced: [referenced]) == 2)
    #expect(try place.names(in: someBatch) == ["00000000000000cc-3.txt"])
    #expect(try place.marks() == [])
  }

  @Test func theRemovalOfSweptFilesIsDurableBeforeThatOfTheMarker() throws {
    let name = "00000000000000bb-3"
    try leave([name])
    let files = place.faulty()
    #expect(try place.folder(files).sweep() == 1)
    #expect(
      files.steps.suffix(4) == [
        .init(.remove, "\(someBatch)/\(name)"), .init(.syncDirectory, someBatch),
        .init(.removeDirectory, someBatch), .init(.remove, "\(someBatch).open"),
      ])
  }

  @Test func anEmptyMarkedBatchIsRemoved() throws {
    try leave(["00000000000000bb-3"])
    #expect(try place.folder().sweep() == 1)
    #expect(try place.batches() == [])
  }

  @Test func batchesWithoutAMarkerAreNotRead() throws {
    try place.makeDirectory(someBatch)
    try place.write("abc", to: someName)
    let files = place.faulty()
    #expect(try place.folder(files).sweep() == 0)
    #expect(place.exists(someName))
    #expect(files.steps == [.init(.list, "")])
  }

  @Test func aBatchOfAnotherSessionIsSkipped() throws {
    let other = place.folder()
    let staged = try other.stage("published")
    try other.publish([staged])
    let unpublished = try other.stage("unpublished")
    #expect(try place.folder().sweep() == 0)
    #expect(try other.text(of: staged.name) == "published")
    try other.publish([unpublished])
    #expect(try place.folder().sweep() == 0)
    #expect(try other.names().count == 2)
  }

  /// A session ends its batch after another one has listed the marks, and before it locks them.
  @Test func aBatchThatEndsMeanwhileIsNotSwept() throws {
    let place = try Place()
    let session = place.folder()
    let name = try session.put("a")
    let files = FaultyFileSystem(place.disk()) { operation, path in
      if operation == .list, path.isEmpty { session.close() }
    }
    #expect(try place.folder(files).sweep() == 0)
    #expect(try place.folder().text(of: name) == "a")
    #expect(try place.marks() == [])
  }

  @Test func theSessionsOwnBatchIsSkipped() throws {
    let folder = place.folder()
    let name = try folder.put("a")
    #expect(try folder.sweep() == 0)
    #expect(try folder.text(of: name) == "a")
  }

  @Test func markersOfMissingBatchesAreRemoved() throws {
    try place.makeDirectory("")
    try place.write("", to: "\(someBatch).open")
    #expect(try place.folder().sweep() == 0)
    #expect(try place.marks() == [])
  }

  @Test func filesWithOtherNamesAreKept() throws {
    try leave([
      "notes.txt", "00000000000000bb", "00000000000000BB-3", "00000000000000bb-03",
      "00000000000000bb-3.a b", "bb~", ".hidden",
    ])
    try place.makeDirectory("\(someBatch)/00000000000000ee-3")
    try place.makeDirectory("foreign")
    try place.write("abc", to: "foreign/00000000000000bb-3")
    try place.write("abc", to: "00000000000000bb-3")
    try place.write("", to: "foreign.open")
    let before = try place.names(in: someBatch)
    #expect(try place.folder().sweep() == 0)
    #expect(try place.names(in: someBatch) == before)
    #expect(place.exists("foreign/00000000000000bb-3"))
    #expect(place.exists("00000000000000bb-3"))
    #expect(place.exists("foreign.open"))
  }

  @Test func symbolicLinksWithOurNamesAreKeptAndNotFollowed() throws {
    try leave([])
    let outside = place.beside("outside")
    try Data("abc".utf8).write(to: outside)
    try place.link("\(someBatch)/00000000000000bb-3", to: outside)
    try place.link("\(someBatch)/00000000000000bb~", to: outside)
    #expect(try place.folder().sweep() == 0)
    #expect(try place.names(in: someBatch) == ["00000000000000bb-3", "00000000000000bb~"])
    #expect(FileManager.default.fileExists(atPath: outside.path))
  }

  @Test func aBatchThatIsASymbolicLinkIsNotFollowed() throws {
    try place.makeDirectory("")
    let outside = place.beside("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: false)
    let file = outside.appendingPathComponent("00000000000000bb-3")
    try Data("abc".utf8).write(to: file)
    try place.link(someBatch, to: outside)
    try place.write("", to: "\(someBatch).open")
    #expect(try place.folder().sweep() == 0)
    #expect(FileManager.default.fileExists(atPath: file.path))
    #expect(place.exists(someBatch))
    #expect(try place.folder().paths() == [])
    let name = try #require(AssetName(someName))
    #expect(place.folder().remove([name]) == [])
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func aSymbolicLinkOrADirectoryIsNotAMarker() throws {
    try place.makeDirectory(someBatch)
    try place.write("abc", to: someName)
    let outside = place.beside("outside")
    try Data().write(to: outside)
    try place.link("\(someBatch).open", to: outside)
    #expect(try place.folder().sweep() == 0)
    #expect(place.exists(someName))
    #expect(place.exists("\(someBatch).open"))
  }

  @Test func itQueriesAThousandFilesAtOnce() throws {
    try leave((0..<1_200).map { "\(String($0 + 0x1000_0000_0000_0000, radix: 16))-3" })
    var counts: [Int] = []
    let removed = try place.folder().sweep { names in
      counts.append(names.count)
      return Set(names.filter { $0.file.hasSuffix("0-3") })
    }
    #expect(counts.sorted() == [200, 1_000])
    let left = try place.names(in: someBatch)
    #expect(left.count == 1_200 - removed)
    #expect(left.filter { !$0.hasSuffix("0-3") } == [])
  }

  @Test func ifTheQueryFailsNothingIsRemoved() throws {
    struct Unknown: Error {}
    try leave(["00000000000000bb-3", "00000000000000bb~"])
    #expect(throws: Unknown.self) {
      _ = try place.folder().sweep { (_: [AssetName]) -> Set<AssetName> in throw Unknown() }
    }
    #expect(place.exists(someName))
    #expect(try place.marks().count == 1)
    #expect(try place.folder().sweep() == 2)
  }

  @Test func aBatchWhoseSweepFailsIsKeptForTheNextSweep() throws {
    try leave(["00000000000000bb-3"], batch: "000000000000000a")
    try leave(["00000000000000bb-3"], batch: "000000000000000b")
    let files = place.faulty()
    files.fail(.remove, with: EIO)
    #expect(code { _ = try place.folder(files).sweep() } == .other)
    #expect(try place.batches().count == 1)
    #expect(try place.marks().count == 1)
    #expect(try place.folder().sweep() == 1)
    #expect(try place.names() == ["hold"])
  }

  @Test func theNextSessionSweepsFilesThatCouldNotBeDiscarded() throws {
    var referenced = Set<AssetName>()
    do {
      let files = place.faulty()
      let folder = place.folder(files)
      referenced.insert(try folder.put("referenced"))
      files.fail(.remove, with: EIO)
      folder.discard([try folder.stage("unreferenced")])
    }
    #expect(try place.marks().count == 1)
    #expect(try place.folder().sweep(referenced: referenced) == 1)
    #expect(try place.folder().names() == referenced)
    #expect(try place.marks() == [])
  }

  @Test func onlyFilesAreListed() throws {
    try leave(["00000000000000bb-3", "00000000000000bb~", "notes.txt"])
    try place.makeDirectory("\(someBatch)/directory")
    try place.write("", to: "hold")
    try place.write("", to: "stray")
    try place.makeDirectory("foreign")
    try place.link("link", to: place.file("stray"))
    var named: [String] = []
    var nameless: [String] = []
    try place.folder().forEachFile { name, path in
      if let name {
        #expect(name.text == path)
        named.append(path)
      } else {
        nameless.append(path)
      }
    }
    #expect(named == [someName])
    #expect(
      nameless.sorted() == ["\(someBatch)/00000000000000bb~", "\(someBatch)/notes.txt", "stray"])
  }
}
