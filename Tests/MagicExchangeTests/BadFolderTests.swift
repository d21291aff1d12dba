import CopySupport
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Folders that are not what an export writes.
@Suite struct BadFolderTests {
  private let directory: TemporaryDirectory
  private let folder: String
  private let back: String

  init() async throws {
    directory = try TemporaryDirectory()
    let file = directory.file("source.sqlite3").path
    folder = directory.file("export").path
    back = directory.file("back.sqlite3").path
    let magic = try await MagicData(path: file)
    let (band, songs) = (Band("One"), ["One", "Two"].map(Song.init))
    songs[0].sound = .init(value: Data([1, 2, 3]))
    songs[0].writer = band
    band.songs = songs
    band.tours = [Tour(isOver: true)]
    band.tours[0].code = UUID()
    try await magic.update(band)
    await magic.close()
    try await MagicData.copy(from: .file(file), to: .folder(folder))
  }

  private func edit(_ name: String, _ body: (inout String) -> Void) throws {
    let path = "\(folder)/\(name)"
    var text = try String(contentsOfFile: path, encoding: .utf8)
    let before = text
    body(&text)
    #expect(text != before)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Checks that the import fails, and that there is no database afterwards.
  private func expect(
    _ code: MagicError.Code, _ message: String = "", property: String? = nil,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    do {
      try await MagicData.copy(from: .folder(folder), to: .file(back))
      Issue.record("A bad folder was imported.", sourceLocation: location)
    } catch let error as MagicError {
      #expect(error.code == code, "\(error)", sourceLocation: location)
      #expect(
        message.isEmpty || error.message.contains(message), "\(error)", sourceLocation: location)
      if let property { #expect(error.property == property, sourceLocation: location) }
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(left.filter { $0.contains("back") } == [], sourceLocation: location)
  }

  @Test(arguments: [
    (#""title":"Two""#, #""title":2"#, "a text", "title"),
    (#""title":"Two""#, #""title":"Two"#, "not one object", ""),
    (#""title":"Two""#, #""title":"\ud800""#, "a text", "title"),
    (#""title":"Two""#, #""title":"\x41""#, "a text", "title"),
    (#""title":"Two""#, "\"title\":\"\u{1}\"", "a text", "title"),
    (#""title":"Two""#, #""title":{"base64":"?"}"#, "a text", "title"),
    (#""title":"Two""#, #""title":{"base64":"YQ==","more":1}"#, "a text", "title"),
    (#""title":"Two""#, #""title":"Two","title":"Three""#, "twice", "title"),
    (#""title":"Two""#, #""titel":"Two""#, "does not have", ""),
    (#""z_index":2"#, #""z_index":2.0"#, "an integer", "z_index"),
    (#""z_index":2"#, #""z_index":9223372036854775808"#, "an integer", "z_index"),
    (#""z_index":2"#, #""z_index":02"#, "an integer", "z_index"),
    (#""z_index":2,"#, "", "is missing", "z_index"),
    (#""z_index":2"#, #""z_index":null"#, "is missing", "z_index"),
    (#"{"z_index":2"#, #"[{"z_index":2"#, "not one object", ""),
    (#"{"z_index":2"#, #"{} {"z_index":2"#, "not one object", ""),
  ])
  func aLineThatIsNotValidIsNamed(
    _ old: String, _ new: String, _ message: String, _ property: String
  ) async throws {
    try edit("Song.jsonl") { $0 = $0.replacing(old, with: new) }
    try await expect(.cannotDecode, "Line 2 of the file Song.jsonl", property: nil)
    try await expect(.cannotDecode, message, property: property.isEmpty ? nil : property)
  }

  @Test func linesOfOtherKindsOfValuesAreChecked() async throws {
    for (old, new, message) in [
      (#""isOver":true"#, #""isOver":1"#, "true or false"),
      (#""code":""#, #""code":"x"#, "a UUID"),
    ] {
      let before = try String(contentsOfFile: "\(folder)/Tour.jsonl", encoding: .utf8)
      try edit("Tour.jsonl") { $0 = $0.replacing(old, with: new) }
      try await expect(.cannotDecode, message)
      try before.write(toFile: "\(folder)/Tour.jsonl", atomically: true, encoding: .utf8)
    }
  }

  @Test func aLongLineIsReadOnlyIfTheDescriptionNamesItsSize() async throws {
    let size = 65 << 20
    try edit("Song.jsonl") { $0 += "[" + String(repeating: " ", count: size) + "\n" }
    try await expect(
      .cannotDecode,
      "Line 3 of the file Song.jsonl is larger than 67108864 bytes. To read a larger line, set "
        + "\"largestLine\" of the file in database.json to its size")
    try edit("database.json") { text in
      text = text.replacing(/"largestLine" : [0-9]+/, with: "\"largestLine\" : \(size + 500)")
    }
    // The line is read, and refused because of its first byte.
    try await expect(.cannotDecode, "it is not one object of JSON")
  }

  @Test func bytesThatAreNotUTF8AreNamed() async throws {
    let path = "\(folder)/Song.jsonl"
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(data.range(of: Data("Two".utf8)))
    data[place.lowerBound] = 0xFF
    try data.write(to: URL(fileURLWithPath: path))
    try await expect(.cannotDecode, "a text", property: "title")
  }

  @Test func aDeeplyNestedLineIsRefused() async throws {
    try edit("Song.jsonl") {
      $0 = $0.replacing(
        #""Two""#,
        with: String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000))
    }
    try await expect(.cannotDecode, "a text", property: "title")
  }

  @Test func missingLinesAreNoticed() async throws {
    try edit("Song.jsonl") { text in text.removeLast(text.split(separator: "\n")[1].count + 1) }
    try await expect(.corrupt, "Song.jsonl has 1 rows")
  }

  @Test func aRowThatRefersToNoneIsNamed() async throws {
    try edit("Song.jsonl") { $0 = $0.replacing(#""writer":1"#, with: #""writer":9"#) }
    try await expect(.brokenReference)
  }

  @Test(arguments: [
    (#","target":1"#, #","target":9"#, MagicError.Code.brokenReference),
    (#","target":1"#, #","target":2"#, .brokenReference),
    (#","target":1"#, "", .cannotDecode),
    (#""position":"#, #""position":null,"place":"#, .cannotDecode),
  ])
  func aMemberOfAnOwnedListIsChecked(
    _ old: String, _ new: String, _ code: MagicError.Code
  ) async throws {
    try edit("Band.songs.jsonl") { $0 = $0.replacing(old, with: new) }
    try await expect(code, "of the file Band.songs.jsonl")
  }

  @Test func twoRowsWithOneRowIDAreRefused() async throws {
    try edit("Song.jsonl") { $0 = $0.replacing(#""z_index":2"#, with: #""z_index":1"#) }
    try await expect(.notUnique)
  }

  @Test(arguments: [
    (#""format" : "MagicData export""#, #""format" : "other""#, MagicError.Code.notADatabase),
    (#""version" : 1"#, #""version" : 2"#, .newerFormat),
    (#""tables" : ["#, #""tables" : [,"#, .notADatabase),
    (#""isNullable" : true"#, #""isNullable" : "yes""#, .notADatabase),
    (#""kind" : "text""#, #""kind" : "words""#, .notADatabase),
    (#""kind" : "list""#, #""kind" : "pile""#, .notADatabase),
    (#""deleteRule" : "nullify""#, #""deleteRule" : "none""#, .notADatabase),
    (#""file" : "Song.jsonl""#, #""file" : "../Song.jsonl""#, .notADatabase),
    (#""file" : "Song.jsonl""#, #""file" : "Band.jsonl""#, .notADatabase),
    (#""file" : "Song.jsonl""#, #""file" : "Other.jsonl""#, .cannotOpen),
    (#""table" : "Band""#, #""table" : "Bands""#, .notADatabase),
    (#""target" : "Song""#, #""target" : "Songs""#, .notADatabase),
    (#""name" : "Song""#, #""name" : "sqlite_song""#, .notADatabase),
    (#""joinTable" : "magic_Band."#, #""joinTable" : "magic_Other."#, .notADatabase),
    (#""isOwned" : false"#, #""isOwned" : true"#, .notADatabase),
    (#""isAsset" : false"#, #""isAsset" : true"#, .notADatabase),
    (#"tokenize='"#, #"tokenize='x', content='"#, .notADatabase),
  ])
  func aDescriptionThatIsNotValidIsRefused(
    _ old: String, _ new: String, _ code: MagicError.Code
  ) async throws {
    try edit("database.json") { $0 = $0.replacing(old, with: new) }
    try await expect(code)
  }

  @Test func aMissingDescriptionIsNamed() async throws {
    try FileManager.default.removeItem(atPath: "\(folder)/database.json")
    try await expect(.cannotOpen, "database.json is missing")
    try FileManager.default.removeItem(atPath: folder)
    try await expect(.cannotOpen)
  }

  @Test func aLinkToAFileOutsideIsNotRead() async throws {
    let path = "\(folder)/Song.jsonl"
    let other = directory.file("other.jsonl").path
    try FileManager.default.moveItem(atPath: path, toPath: other)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    try await expect(.cannotOpen, "Song.jsonl")
  }

  @Test func missingAndTruncatedAssetsAreNoticed() async throws {
    let root = folder + "/assets"
    let name = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: root).first { $0.contains("/") })
    try Data([1]).write(to: URL(fileURLWithPath: "\(root)/\(name)"))
    try await expect(.assetMissing, "incomplete")
    try FileManager.default.removeItem(atPath: root)
    try await expect(.assetMissing, "0 assets")
  }
}
