import Foundation
import MagicSchema
import Magical
import Testing

private struct Note: MagicObject {
  @MagicValue var text: String = ""
  init() {}
}

private final class Page: MagicObject, @unchecked Sendable {
  @MagicValue var text: String = ""
  init() {}
}

private struct Album: Codable {
  var title: String
  var note: Note
}

@Suite struct ObjectIdentityTests {
  private func save<Model: MagicObject>(_ object: Model, as zIndex: Int64?, in store: UInt64 = 1)
    throws
  {
    try ObjectSchema.of(Model.self).withReference(to: object) {
      $0.record.identity = zIndex.map {
        RowIdentity(store: StoreToken(rawValue: store), zIndex: ZIndex(rawValue: $0))
      }
    }
  }

  @Test func anUnsavedObjectHasNoRowID() {
    #expect(Note().zIndex == nil)
    #expect(Page().zIndex == nil)
  }

  @Test func copiesShareTheirRow() throws {
    let note = Note()
    let copy = note
    try save(note, as: 7)
    #expect(copy.zIndex == ZIndex(rawValue: 7))
    try save(copy, as: nil)
    #expect(note.zIndex == nil)
    let page = Page()
    try save(page, as: 8)
    #expect(page.zIndex?.rawValue == 8)
  }

  @Test func equalRowsHaveTheSameStoreAndTheSameRowID() throws {
    let notes = (0..<4).map { _ in Note() }
    try save(notes[0], as: 1, in: 1)
    try save(notes[1], as: 1, in: 1)
    try save(notes[2], as: 2, in: 1)
    try save(notes[3], as: 1, in: 2)
    #expect(notes[0].isSameRow(as: notes[1]))
    #expect(notes[0].isSameRow(as: notes[0]))
    #expect(!notes[0].isSameRow(as: notes[2]))
    #expect(!notes[0].isSameRow(as: notes[3]))
  }

  @Test func unsavedObjectsAreNeverTheSameRow() throws {
    let note = Note()
    #expect(!note.isSameRow(as: note))
    let saved = Note()
    try save(saved, as: 1)
    #expect(!note.isSameRow(as: saved))
    #expect(!saved.isSameRow(as: note))
  }

  @Test func aPendingRowIsVisibleOnlyToItsTransaction() throws {
    let note = Note()
    let identity = RowIdentity(store: StoreToken(rawValue: 1), zIndex: ZIndex(rawValue: 5))
    try ObjectSchema.of(Note.self).withReference(to: note) { reference in
      let pending = ObjectRecord.Pending.row(identity)
      #expect(reference.record.setPending(pending, in: identity.store) == nil)
      #expect(reference.identity(inTransactionOf: identity.store) == identity)
      #expect(reference.identity(inTransactionOf: StoreToken(rawValue: 2)) == nil)
      #expect(reference.identity == nil)
      _ = reference.record.commit(pending)
      #expect(reference.identity == identity)
    }
    #expect(note.zIndex?.rawValue == 5)
  }

  @Test func anUnsavedObjectInAStoredValueEncodesToNull() throws {
    let album = Album(title: "a", note: Note())
    let text = String(decoding: try JSONColumn.encode(album), as: UTF8.self)
    #expect(text == #"{"note":null,"title":"a"}"#)
  }

  @Test func aSavedObjectInAStoredValueEncodesToItsRowID() throws {
    let note = Note()
    try save(note, as: .max)
    #expect(String(decoding: try JSONColumn.encode([note]), as: UTF8.self) == "[\(Int64.max)]")
  }

  @Test func anObjectIsNotEncodedOutsideOfStoredValues() throws {
    let note = Note()
    try save(note, as: 1)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(note) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([note]) }
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(Album(title: "a", note: note))
    }
  }

  @Test(arguments: ["[null]", "[7]", "[{\"text\":\"a\"}]"])
  func decodingAnObjectThrows(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Note].self, from: Data(text.utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Page].self, from: Data(text.utf8))
    }
  }

  @Test func rowIDsAreOrderedAndEncodeAsNumbers() throws {
    let two = ZIndex(rawValue: 2)
    #expect(two < ZIndex(rawValue: 10))
    #expect("\(two)" == "2")
    #expect(String(decoding: try JSONEncoder().encode([two]), as: UTF8.self) == "[2]")
    #expect(try JSONDecoder().decode([ZIndex].self, from: Data("[2]".utf8)) == [two])
  }
}
