import Foundation
@_spi(Tools) import MagicData
import MagicTestSupport
import Testing

/// Records that are read without the types of the objects.
@Suite struct RecordReaderTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func reader(_ text: String, _ name: String) throws -> MagicRecordReader {
    let file = directory.file(name)
    try Data(text.utf8).write(to: file)
    return try MagicRecordReader(
      MagicImportFile(path: file.path), typeName: "Note",
      properties: [
        .init(name: "text", kind: .text, isOptional: false, typeName: "String"),
        .init(name: "bytes", kind: .bytes, isOptional: true, typeName: "Data"),
      ])
  }

  @Test func aFaultHasItsCodePlaceAndColumn() throws {
    let reader = try reader("text\na\nb\n", "notes.csv")
    defer { reader.close() }
    do {
      _ = try reader.save { record in
        guard record.values.map(\.value) == [.text("b")] else { return }
        throw MagicRecordReader.Fault(
          .notUnique, property: 0, reason: "another object has the text")
      }
      Issue.record("The record was saved.")
    } catch let error as MagicError {
      let cause = try #require(error.cause as? MagicImportError)
      #expect(error.code == .notUnique && error.type == "Note")
      #expect(cause.record == 2 && cause.line == 3 && cause.column == "text")
    }
  }

  @Test func aSlashInBase64CanHaveAnEscape() throws {
    let reader = try reader(#"{"text":"a","bytes":"\/\/8="}"#, "notes.jsonl")
    defer { reader.close() }
    var values: [MagicRecordReader.Value] = []
    _ = try reader.save { values = $0.values.map(\.value) }
    #expect(values == [.text("a"), .bytes([0xFF, 0xFF])])
  }

  @Test func anObjectOfAFlattedDocumentIsAReference() throws {
    let file = directory.file("notes.json")
    let text = #"[{"Note":"1"},["2"],{"text":"3","owner":"4"},"a",{"id":"5","note":"2"},"7"]"#
    try Data(text.utf8).write(to: file)
    let reader = try MagicRecordReader(
      MagicImportFile(path: file.path), typeName: "Note",
      properties: [
        .init(name: "text", kind: .text, isOptional: false, typeName: "String"),
        .init(
          name: "owner", kind: .reference(.text), isOptional: true, typeName: "Owner",
          referenceKey: "id"),
      ])
    defer { reader.close() }
    var values: [MagicRecordReader.Value] = []
    _ = try reader.save { values = $0.values.map(\.value) }
    #expect(values == [.text("a"), .text("7")])
  }

  @Test func bytesThatAreNotUTF8AreNoJSON() throws {
    let file = directory.file("notes.jsonl")
    try (Data(#"{"tags":["a"#.utf8) + [0xFF] + Data(#""]}"#.utf8)).write(to: file)
    var description = MagicImportFile(path: file.path)
    description.encoding = .utf8
    let reader = try MagicRecordReader(
      description, typeName: "Note",
      properties: [.init(name: "tags", kind: .json, isOptional: false, typeName: "Array<String>")])
    defer { reader.close() }
    let error = #expect(throws: MagicError.self) { _ = try reader.save { _ in } }
    #expect((error?.cause as? MagicImportError)?.reason == "the value is not JSON")
  }

  @Test(arguments: [
    (#"{"$ref":"a"}"#, "a record is a reference"),
    (#"{"text":"a","$ref":"a"}"#, "a record is a reference"),
    (#"{"text":"a","$id":"1"}"#, #"the key "$id" has no meaning here"#),
    (#"{"text":"a","$note":1}"#, #"the key "$note" has no meaning here"#),
  ]) func keysOfDocumentsAreRefused(_ text: String, _ reason: String) throws {
    for isPlan in [false, true] {
      let reader = try reader(text, "notes.jsonl")
      defer { reader.close() }
      guard !isPlan else {
        let plan = try reader.plan { _ in }
        #expect(plan.errors.map(\.reason) == [reason] && plan.records == 0)
        continue
      }
      let error = #expect(throws: MagicError.self) { _ = try reader.save { _ in } }
      #expect((error?.cause as? MagicImportError)?.reason == reason)
    }
  }

  @Test func otherErrorsAreThoseOfTheBody() throws {
    let reader = try reader("text\na\n", "notes.csv")
    defer { reader.close() }
    do {
      _ = try reader.save { _ in throw MagicError(.diskFull, "The disk is full.") }
      Issue.record("The record was saved.")
    } catch let error as MagicError {
      #expect(error.code == .diskFull && error.cause == nil)
    }
    #expect(reader.progress.nextRecord == 1)
  }

  @Test(arguments: [("\"\"", MagicRecordReader.Value.bytes([])), ("", .null)])
  func emptyBytesAreThoseInQuotes(_ field: String, _ value: MagicRecordReader.Value) throws {
    let reader = try reader("text,bytes\na,\(field)\n", "notes.csv")
    defer { reader.close() }
    var values: [MagicRecordReader.Value] = []
    _ = try reader.save { values = $0.values.map(\.value) }
    #expect(values == [.text("a"), value])
  }

  @Test func theColumnsAreThoseThatWereRead() throws {
    let reader = try reader(#"[{"text":"a"},{"text":"b","bytes":""}]"#, "notes.json")
    defer { reader.close() }
    _ = try reader.save(atMost: 1) { _ in }
    #expect(reader.columns == ["text"])
    _ = try reader.save { _ in }
    #expect(reader.columns == ["text", "bytes"])
  }
}
