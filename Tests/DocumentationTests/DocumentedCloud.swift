import Foundation
import MagicData
import MagicTestSupport
import Testing

/// The examples of the article about records of CloudKit.
@Suite struct DocumentedCloud {
  struct Folder: MagicObject {
    @PrimaryMagicValue var id: MagicUUID
    @MagicValue var name: String = ""

    init() {}
  }

  struct Note: MagicObject {
    @PrimaryMagicValue var id: MagicUUID
    @MagicValue var text: String
    @MagicValue var edited: Date = Date(timeIntervalSince1970: 0)
    @MagicValue var photo: MagicAsset<Data>
    @OptionMagicValue var folder: Folder?

    init() { photo = .init() }
  }

  @Test func aRecordIsSentAndReceived() async throws {
    let directory = try TemporaryDirectory()
    let magic = try await MagicData(path: directory.file("notes.sqlite3").path)
    let note = Note()
    note.text = "Buy milk"
    note.photo = MagicAsset(value: Data([1, 2, 3]), pathExtension: "png")
    note.folder = Folder()
    try await magic.update(note)

    let record = try note.cloudRecord()
    print(record.recordType, record.recordName)  // Note Note:0B7E5C1D-9A3F-4826-A1B2-3F9C07A1B2D4
    print(record.fields["text"] ?? .null)  // text("Buy milk")

    let smaller = try note.values.omitting(\.$folder).cloudRecord()

    #expect("\(record.fields["text"] ?? .null)" == #"text("Buy milk")"#)
    #expect(smaller.fields["folder"] == nil && record.fields["folder"] != nil)

    let id = try MagicID<Note>(cloudRecordName: record.recordName)
    let received: Note
    do {
      received = try await magic.object(with: id)
    } catch let error as MagicError where error.code == .notFound {
      received = Note()
    }
    try await magic.apply(cloudRecord: record, to: received)
    try await magic.update(received)

    #expect(try await magic.object(with: id).text == "Buy milk")
    #expect(try await magic.object(with: id).photo.load() == Data([1, 2, 3]))

    try await magic.remove(try await magic.object(with: id))

    #expect(try await magic.object(of: Note.self).isEmpty)
    await magic.close()
  }

  @Test func theExamplesOfTheDeclarations() async throws {
    let directory = try TemporaryDirectory()
    let magic = try await MagicData(path: directory.file("songs.sqlite3").path)
    let song = Song()
    song.title = "One"

    let record = try song.cloudRecord()
    let copy = try Song(cloudRecord: record)

    #expect(copy.values == song.values)
    do {
      let id = try MagicID<Song>(cloudRecordName: record.recordName)
      let song: Song
      do {
        song = try await magic.object(with: id)
      } catch let error as MagicError where error.code == .notFound {
        song = Song()
      }
      try await magic.apply(cloudRecord: record, to: song)
      try await magic.update(song)
    }
    #expect(try await magic.object(of: Song.self).map(\.title) == ["One"])
    await magic.close()
  }

  struct Song: MagicObject {
    @PrimaryMagicValue var id: UUID
    @MagicValue var title: String = ""

    init() {}
  }
}
