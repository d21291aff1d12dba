import CopySupport
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Exports of databases to folders, and their imports.
@Suite struct ExportTests {
  private let directory: TemporaryDirectory
  private let file: String
  private let folder: String

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.file("source.sqlite3").path
    folder = directory.file("export").path
  }

  private func makeSource() async throws {
    let magic = try await MagicData(path: file)
    try await CopiedDatabase.fill(magic)
    await magic.close()
  }

  private func lines(_ name: String) throws -> [String] {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  @Test func anImportOfAnExportIsTheSameDatabase() async throws {
    try await makeSource()
    let before = try DatabaseDump(of: file)
    let exported = try await MagicData.copy(from: .file(file), to: .folder(folder))
    #expect(exported.rows == CopiedDatabase.texts.count + 2 + 5 + 2)
    #expect(exported.members == 10)
    #expect(exported.assets == 2 && exported.assetBytes == CopiedDatabase.sound.count)
    #expect(exported.incompleteTypes.isEmpty)

    let back = directory.file("back.sqlite3").path
    let imported = try await MagicData.copy(from: .folder(folder), to: .file(back))
    #expect(imported.tables == exported.tables && imported.members == exported.members)
    #expect(imported.incompleteTypes.isEmpty)
    let differences = try DatabaseDump(of: back).differencesOfCopy(from: before)
    #expect(differences.isEmpty, "\(differences)")

    let magic = try await MagicData(path: back)
    #expect(try await magic.migrationPlan(for: [Band.self, Sample.self]).isEmpty)
    try await CopiedDatabase.check(magic)
    #expect(try await magic.query(Band.self).matching("Two").all().map(\.name) == ["Two"])
    await magic.close()
  }

  @Test func aLineHasTheValuesOfARow() async throws {
    let magic = try await MagicData(path: file)
    let (band, song) = (Band("One"), Song("a\"\\\n\u{1}é"))
    song.sound = .init(value: Data([1, 2, 3]), pathExtension: "wav")
    song.writer = band
    band.songs = [song]
    band.tours = [Tour(isOver: true)]
    band.guests = [0.5: song]
    try await magic.update(band)
    await magic.close()
    try await MagicData.copy(from: .file(file), to: .folder(folder))
    let asset = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: folder + "/assets").first {
        $0.hasSuffix(".wav")
      })
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/assets/\(asset)")).count == 3)
    #expect(try lines("Band.jsonl") == [#"{"z_index":1,"name":"One"}"#])
    // The line has 27 bytes with its end.
    #expect(try lines("database.json").contains { $0.contains("\"largestLine\" : 27") })
    #expect(
      try lines("Song.jsonl") == [
        #"{"z_index":1,"title":"a\"\\\n\u0001é","mood":"calm","writer":1,"sound":""# + asset
          + #""}"#
      ])
    let tour = try #require(try lines("Band.tours.jsonl").first)
    #expect(tour.wholeMatch(of: /{"owner":1,"position":-?[0-9]+,"target":1}/) != nil, "\(tour)")
    #expect(try lines("Band.guests.jsonl") == [#"{"owner":1,"key":0.5,"target":1}"#])
    // A collection without members has a file as well.
    #expect(try lines("Band.rivals.jsonl") == [])
  }

  @Test func aTextThatIsNotUTF8IsExported() async throws {
    let magic = try await MagicData(path: file)
    try await magic.update(Song("text"))
    await magic.close()
    let connection = try SQLiteConnection(path: file)
    try connection.execute("UPDATE Song SET title = CAST(x'61ff62' AS TEXT)")
    connection.close()
    try await MagicData.copy(from: .file(file), to: .folder(folder))
    #expect(try lines("Song.jsonl")[0].contains(#""title":{"base64":"Yf9i"}"#))
    let back = directory.file("back.sqlite3").path
    try await MagicData.copy(from: .folder(folder), to: .file(back))
    let copy = try SQLiteConnection(path: back)
    defer { copy.close() }
    #expect(try copy.integer("SELECT hex(CAST(title AS BLOB)) = '61FF62' FROM Song") == 1)
  }

  @Test func aChangedFileIsImportedIfTheNumberOfLinesIsNotStated() async throws {
    let magic = try await MagicData(path: file)
    try await magic.update(contentsOf: ["One", "Two"].map(Song.init))
    await magic.close()
    try await MagicData.copy(from: .file(file), to: .folder(folder))
    // The order of the members and the spaces between them do not matter, and a missing one is null.
    let new = #" { "mood" : "loud", "title" : "Thr\u0065\ud83d\ude00e", "z_index" : 7 }"#
    let text = try "\u{FEFF}" + lines("Song.jsonl").joined(separator: "\r\n") + "\r\n\n" + new
    try text.write(toFile: "\(folder)/Song.jsonl", atomically: true, encoding: .utf8)
    let back = directory.file("back.sqlite3").path
    await #expect(throws: MagicError.self) {
      try await MagicData.copy(from: .folder(folder), to: .file(back))
    }
    let description = "\(folder)/database.json"
    let manifest = try String(contentsOfFile: description, encoding: .utf8)
    try manifest.replacing(#""rows" : 2"#, with: #""rows" : null"#)
      .write(toFile: description, atomically: true, encoding: .utf8)
    let summary = try await MagicData.copy(from: .folder(folder), to: .file(back))
    #expect(summary.rows == 3)
    let changed = try await MagicData(path: back)
    let songs = try await changed.object(of: Song.self)
    #expect(songs.map(\.title) == ["One", "Two", "Thre😀e"])
    #expect(songs[2].mood == .loud && songs[2].zIndex?.rawValue == 7)
    await changed.close()
  }

  @Test func anExportReplacesNothing() async throws {
    try await makeSource()
    for place in [file, directory.url.path] {
      await #expect(throws: MagicError.self) {
        try await MagicData.copy(from: .file(file), to: .folder(place))
      }
    }
    try await MagicData.copy(from: .file(file), to: .folder(folder))
    let before = try FileManager.default.subpathsOfDirectory(atPath: directory.url.path).count
    do {
      try await MagicData.copy(from: .file(file), to: .folder(folder))
      Issue.record("An export was replaced.")
    } catch let error as MagicError {
      #expect(error.code == .fileExists)
    }
    let after = try FileManager.default.subpathsOfDirectory(atPath: directory.url.path).count
    #expect(after == before)
  }

  @Test func aCancelledExportLeavesNothing() async throws {
    try await makeSource()
    let task = Task {
      try await MagicData.copy(from: .file(file), to: .folder(folder)) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(left.filter { $0.hasPrefix("export") } == [])
  }

  @Test func anEmptyDatabaseIsExported() async throws {
    let magic = try await MagicData(path: file)
    try await magic.update(Song("One"))
    try await magic.removeAll(of: Song.self)
    await magic.close()
    try await MagicData.copy(from: .file(file), to: .folder(folder))
    let back = directory.file("back.sqlite3").path
    let summary = try await MagicData.copy(from: .folder(folder), to: .file(back))
    #expect(summary.rows == 0)
    let copy = try await MagicData(path: back)
    // The row ID of the removed object is not assigned again.
    let song = Song("Two")
    #expect(try await copy.update(song).rawValue == 2)
    await copy.close()
  }

  struct Word: MagicObject {
    @MagicValue(.compared(.localized("de")), .unique) var text: String
    @MagicValue(.compared(.caseInsensitive)) var code: String
    @OptionMagicValue var embedding: MagicVector?

    init() {}
    init(_ text: String) { (self.text, code) = (text, text) }
  }

  @Test func collationsAndVectorsAreExported() async throws {
    let magic = try await MagicData(path: file)
    let words = ["Zoe", "ada", "Éva"].map(Word.init)
    words[0].embedding = [1, -0.5]
    try await magic.update(contentsOf: words)
    await magic.close()
    let before = try DatabaseDump(of: file)
    try await MagicData.copy(from: .file(file), to: .folder(folder))
    let back = directory.file("back.sqlite3").path
    try await MagicData.copy(from: .folder(folder), to: .file(back))
    let differences = try DatabaseDump(of: back).differences(from: before).filter {
      $0 != "table magic_format"
    }
    #expect(differences.isEmpty, "\(differences)")
    let copy = try await MagicData(path: back)
    #expect(try await copy.migrationPlan(for: [Word.self]).isEmpty)
    let sorted = try await copy.query(Word.self).order(by: \.$text).all()
    #expect(sorted.map(\.text) == ["ada", "Éva", "Zoe"])
    #expect(sorted[2].embedding == [1, -0.5])
    #expect(try await copy.query(Word.self).where(\.$code == "ADA").count() == 1)
    await copy.close()
  }
}
