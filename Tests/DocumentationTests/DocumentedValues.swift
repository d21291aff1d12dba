import Foundation
import MagicData
import MagicTestSupport
import Testing

struct Member: MagicObject, Hashable, Identifiable {
  @PrimaryMagicValue var number: String
  @MagicValue var name: String
  @MagicValue var joined: Date = Date(timeIntervalSince1970: 0)
  @MagicValue var passwordHash: String = ""
  @OptionMagicValue var mentor: Member?

  init() {}

  init(_ number: String, name: String) {
    self.number = number
    self.name = name
  }
}

/// The examples of the article on objects as values, and of its symbols.
@Suite struct DocumentedValues {
  @Test func objectsAreComparedIdentifiedAndSent() async throws {
    let magic = try await MagicData(type: .temporary)
    let ann = Member("1", name: "Ann")
    try await magic.update(ann)
    let again = try await magic.object(of: Member.self, primary: "1")
    print(again == ann)  // true
    print(Set([ann, again]).count)  // 1
    #expect(again == ann)

    let id = ann.magicID
    let text = "\(id)"  // 1
    if let parsed = MagicID<Member>(text) {
      print(try await magic.object(with: parsed).name)  // Ann
    }
    #expect(text == "1")

    let before = ann.values
    ann.name = "Anna"
    print(ann.values == before)  // false
    print(before.$name ?? "")  // Ann
    #expect(ann.values != before)

    let body = try JSONEncoder().encode(ann.values.omitting(\.$passwordHash))
    #expect(!String(decoding: body, as: UTF8.self).contains("passwordHash"))

    let received = try JSONDecoder().decode(MagicRecord<Member>.self, from: body)
    let member = try await magic.object(with: ann.magicID)
    try await magic.apply(received, to: member)
    try await magic.update(member)
    #expect(try await magic.object(of: Member.self).map(\.name) == ["Anna"])

    print(again)  // Member(row 1, number: "1", name: "Ann", joined: 1970-01-01 00:00:00 +0000, …
    let start = #"Member(row 1, number: "1", name: "Ann", joined: 1970-01-01 00:00:00 +0000, "#
    #expect("\(again)".hasPrefix(start))
    await magic.close()
  }

  @Test func changesAreKnown() async throws {
    let magic = try await MagicData(type: .temporary)
    let ann = Member("1", name: "Ann")
    try await magic.update(ann)
    let again = try await magic.object(of: Member.self, primary: "1")
    print(again.isSaved, again.hasChanges)  // true false
    again.name = "Annie"
    print(again.changedProperties)  // ["name"]
    print(again.$name.hasChanged, again.$joined.hasChanged)  // true false
    try await magic.update(again)
    print(again.hasChanges)  // false
    #expect(again.isSaved && !again.hasChanges)
    again.name = "Ann"
    #expect(again.changedProperties == ["name"])
    #expect(again.$name.hasChanged && !again.$joined.hasChanged)

    let empty = Member()
    print(empty.$name.isSet, empty.$mentor.isSet)  // false true
    #expect(!empty.$name.isSet && empty.$mentor.isSet)
    try await changesAreDiscarded(again, magic)
    await magic.close()
  }

  private func changesAreDiscarded(_ again: Member, _ magic: MagicData) async throws {
    again.name = "Annie"
    try await magic.update(again)
    again.name = "Ann B."
    for change in again.changes { print(change) }  // name: "Annie" → "Ann B."
    print(again.savedValues.$name ?? "")  // Annie
    #expect(again.changes.map { "\($0)" } == [#"name: "Annie" → "Ann B.""#])

    again.revert()
    print(again.name)  // Annie
    let other = try await magic.object(of: Member.self, primary: "1")
    other.name = "Anne"
    try await magic.update(other)
    try await magic.refresh(again)
    print(again.name, again.hasChanges)  // Anne false
    #expect(again.name == "Anne" && !again.hasChanges)
    try await draftsAreCommitted(again, magic)
  }

  private func draftsAreCommitted(_ again: Member, _ magic: MagicData) async throws {
    let draft = try await magic.draft(of: again)
    draft.name = "Anna"
    print(again.name, draft.hasEdits)  // Anne true
    try await magic.commit(draft)
    print(again.name, draft.hasEdits)  // Anna false
    #expect(again.name == "Anna" && !draft.hasEdits)

    draft.name = "Anna B."
    again.name = "Anna C."
    try await magic.update(again)
    do {
      try await magic.commit(draft)
    } catch let conflict as MagicDraftConflict {
      for property in conflict.properties {
        print(property.name, property.theirs ?? "nil")  // name Anna C.
      }
      try await magic.commit(draft, overwriting: true)
    }
    #expect(again.name == "Anna B.")
    try await personsHaveDrafts(again, magic)
  }

  private func personsHaveDrafts(_ person: Member, _ magic: MagicData) async throws {
    let draft = try await magic.draft(of: person)
    draft.name = "Anna"
    try await magic.commit(draft)
    print(person.name)  // Anna
    #expect(person.name == "Anna")

    print(person.savedValues.$name ?? "", person.name)
  }

  @Test func objectsAreCopied() async throws {
    let magic = try await MagicData(type: .temporary)
    let ann = Member("1", name: "Anna")
    try await magic.update(ann)
    let twin = ann.copy()
    twin.name = "Bob"
    print(ann.name, twin.isSaved)  // Anna false
    try await magic.update(twin)
    #expect(ann.name == "Anna")
    #expect(try await magic.object(of: Member.self).map(\.name) == ["Anna", "Bob"])
    await magic.close()
  }

  @Test func songsAreIdentifiedAndSent() async throws {
    let magic = try await MagicData(type: .temporary)
    let song = Song(title: "One")
    try await magic.update(song)
    do {
      let id = song.magicID
      let again = try await magic.object(with: id)
      #expect(again.isSameRow(as: song))
    }
    do {
      let json = try JSONEncoder().encode(song.values)
      let values = try JSONDecoder().decode(MagicRecord<Song>.self, from: json)
      let copy = try Song(values)
      print(values.$title ?? "untitled")
      #expect(copy.title == "One")
    }
    let body = Data(#"{"title":"Two"}"#.utf8)
    do {
      let values = try JSONDecoder().decode(MagicRecord<Song>.self, from: body)
      let song = Song()
      try await magic.apply(values, to: song)
      try await magic.update(song)
    }
    #expect(try await magic.object(of: Song.self).map(\.title) == ["One", "Two"])
    await magic.close()
  }
}
