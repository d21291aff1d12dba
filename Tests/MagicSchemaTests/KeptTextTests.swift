import MagicSchema
import Testing

private struct Note: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var text: String
  @OptionMagicValue var other: String?
  init() {}
}

/// Texts of fetched rows that are read more than once.
@Suite struct KeptTextTests {
  private func notes(_ texts: [String]) throws -> [Note] {
    let schema = try ObjectSchema.of(Note.self)
    var builder = ChunkBuilder(schema)
    for (index, text) in texts.enumerated() {
      try builder.append(
        zIndex: Int64(index + 1),
        [.integer(Int64(index)), .text(text), index % 2 == 0 ? .null : .text(text + "ö")])
    }
    return schema.makeObjects(Note.self, from: [builder.chunk])
  }

  /// The address of the bytes of a text; nil if the string contains them itself.
  private func address(_ text: String) -> UnsafeRawPointer? {
    guard text.utf8.count > 15 else { return nil }
    var text = text
    return text.withUTF8 { UnsafeRawPointer($0.baseAddress) }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 500, 1_023, 1_024, 2_000])
  func aTextOfEachSizeIsTheSameInEachRead(_ size: Int) throws {
    let texts = ["a", "b", "c", "\0", "e"].map { String(repeating: $0, count: size) }
    let notes = try notes(texts)
    for _ in 0..<5 {
      #expect(notes.map(\.text) == texts)
      #expect(
        notes.map(\.other) == texts.enumerated().map { $0 % 2 == 0 ? nil : $1 + "ö" })
    }
  }

  @Test func aTextThatWasReadTwiceCreatesNoString() throws {
    let note = try notes(["a text of more than fifteen bytes"])[0]
    let once = note.text
    let kept = address(note.text)
    #expect(kept != nil && kept != address(once))
    #expect(address(note.text) == kept)
    #expect(address(note.text) == kept)
    #expect(once == note.text)
  }

  @Test func aLongTextIsNotKept() throws {
    let note = try notes([String(repeating: "long ", count: 1_000)])[0]
    let texts = (0..<4).map { _ in note.text }
    #expect(Set(texts.map(address)).count == 4)
  }

  @Test func aKeptTextOutlivesItsRow() throws {
    var notes = try notes(["a text of more than fifteen bytes"])
    _ = (notes[0].text, notes[0].text)
    let text = notes[0].text
    notes = []
    #expect(text == "a text of more than fifteen bytes")
  }

  @Test func anAssignmentAndAChangeInPlaceHideTheKeptText() throws {
    let texts = ["the first text of a fetched row", "the second text of a fetched row"]
    let notes = try notes(texts)
    for _ in 0..<3 { #expect(notes.map(\.text) == texts) }
    notes[0].text = "new"
    notes[1].text += "!"
    for _ in 0..<3 { #expect(notes.map(\.text) == ["new", texts[1] + "!"]) }
    let schema = try ObjectSchema.of(Note.self)
    schema.withReference(to: notes[1]) { $0.property(1).revert(String.self) }
    for _ in 0..<3 { #expect(notes.map(\.text) == ["new", texts[1]]) }
  }

  @Test func aTextThatIsOnlyReadIsNotChanged() throws {
    let note = try notes(["a text of more than fifteen bytes"])[0]
    for _ in 0..<3 { _ = note.text }
    let schema = try ObjectSchema.of(Note.self)
    let isChanged = schema.withReference(to: note) {
      $0.property(1).isChanged(schema.plans[1].packing, since: $0.property(0))
    }
    #expect(!isChanged)
  }

  @Test func aTextThatIsNotASCIIIsKept() throws {
    for text in [
      "éééééééé", "ééééééé ", "😀😀😀😀", "\u{0}ééééééééé", "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e",
    ] {
      let note = try notes([text])[0]
      for _ in 0..<4 { #expect(Array(note.text.utf8) == Array(text.utf8)) }
      #expect(address(note.text) == address(note.text))
    }
  }

  @Test func manyThreadsReadTheSameTexts() async throws {
    let texts = (0..<200).map { "a text of more than fifteen bytes, number \($0)" }
    let notes = try notes(texts)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<20).allSatisfy { _ in notes.map(\.text) == texts }
        }
      }
      for await isSame in group { #expect(isSame) }
    }
  }

  @Test func aTextIsReadWhileAnotherTaskChangesIt() async throws {
    let texts = (0..<200).map { "a text of more than fifteen bytes, number \($0)" }
    let notes = try notes(texts)
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for note in notes { note.text += "!" }
        return true
      }
      for _ in 0..<2 {
        group.addTask {
          (0..<20).allSatisfy { _ in
            zip(notes, texts).allSatisfy { note, text in
              let read = note.text
              return read == text || read == text + "!"
            }
          }
        }
      }
      for await isCorrect in group { #expect(isCorrect) }
    }
    #expect(notes.map(\.text) == texts.map { $0 + "!" })
  }
}
