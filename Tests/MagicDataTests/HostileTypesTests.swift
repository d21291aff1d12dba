import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Types of every kind, and names of every kind, through a complete database.
@Suite(.everyEngine) struct HostileTypesTests {
  let scratch = Scratch()

  /// Saves, changes, reopens, finds and removes an object of a type.
  private func expectRoundTrip<Model: MagicObject>(
    of type: Model.Type, make: () -> Model, change: (Model) -> Void, isChanged: (Model) -> Bool,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    var magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (first, second) = (make(), make())
    try await magic.update(contentsOf: [first, second])
    #expect(try await magic.object(of: type).count == 2, sourceLocation: location)
    change(second)
    try await magic.update(second)
    try await magic.remove(first)
    magic = try await magic.reopened(path: scratch.file())
    let fetched = try await magic.object(of: type)
    #expect(fetched.count == 1, sourceLocation: location)
    #expect(fetched.first.map(isChanged) == true, sourceLocation: location)
    #expect(fetched.first?.zIndex == second.zIndex, sourceLocation: location)
    try await magic.update(make())
    expectRowIDs(
      try await magic.object(of: type).compactMap(\.zIndex), [2, 3], sourceLocation: location)
    try await magic.removeAll(of: type)
    #expect(try await magic.object(of: type).isEmpty, sourceLocation: location)
    await magic.close()
    try scratch.expectWhole(sourceLocation: location)
  }

  @Test func namesOfTablesAndColumnsMayBeAnyText() async throws {
    try await expectRoundTrip(of: Odd.self) {
      let odd = Odd()
      odd.a = "a"
      return odd
    } change: {
      $0.b = 2
      $0.d = "quote"
    } isChanged: {
      $0.a == "a" && $0.b == 2 && $0.c == nil && $0.d == "quote" && $0.e == 5
    }
    guard TestedEngine.current.has(.files) else { return }
    let raw = try scratch.raw()
    #expect(
      try raw.integer(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' "
          + "AND name = 'a \"b\" ''c'' 🦊; DROP'"
      ) == 1)
  }

  @Test(.requires(.longNames)) func namesMayBeKeywordsOrHaveTwoHundredCharacters() async throws {
    try await expectRoundTrip(of: Select.self) {
      let select = Select()
      select.from = "f"
      return select
    } change: {
      $0.long = 1
    } isChanged: {
      $0.from == "f" && $0.long == 1 && $0.order == nil
    }
  }

  @Test func indexesOfNamesWithSpacesDoNotCollide() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let spaced = Spaced()
    (spaced.a, spaced.b, spaced.c) = (1, 2, 3)
    try await magic.update(spaced)
    let other = SpacedOther()
    (other.c, other.bc) = (1, 2)
    try await magic.update(other)
    #expect(try await magic.object(of: Spaced.self).count == 1)
    #expect(try await magic.object(of: SpacedOther.self).count == 1)
  }

  @Test func aTypeInsideAFunctionIsSaved() async throws {
    struct Local: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue var name: String
    }
    try await expectRoundTrip(of: Local.self) {
      let local = Local()
      local.name = "a"
      return local
    } change: {
      $0.name = "b"
    } isChanged: {
      $0.name == "b"
    }
  }

  @Test func genericTypesHaveATableEach() async throws {
    struct Pair<Value: Magical & Sendable>: MagicObject {
      @MagicValue var value: Value
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (number, text) = (Pair<Int>(), Pair<String>())
    number.value = 1
    text.value = "a"
    try await magic.update(number)
    try await magic.update(text)
    #expect(try await magic.object(of: Pair<Int>.self).map(\.value) == [1])
    #expect(try await magic.object(of: Pair<String>.self).map(\.value) == ["a"])
  }

  @Test func aClassIsSaved() async throws {
    try await expectRoundTrip(of: Lamp.self) {
      let lamp = Lamp()
      lamp.watts = 40
      lamp.isWarm = true
      return lamp
    } change: {
      $0.watts = 60
    } isChanged: {
      // Properties without a wrapper are not stored.
      $0.watts == 60 && !$0.isWarm
    }
  }

  @Test func propertiesWithoutAWrapperAreNeitherStoredNorShared() async throws {
    try await expectRoundTrip(of: Draft.self) {
      let draft = Draft()
      draft.body = "text"
      return draft
    } change: {
      $0.title = "t"
    } isChanged: {
      $0.body == "text" && $0.title == "t" && $0.cursor == 7 && $0.tag == "plain" && $0.length == 4
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file("other.db"))
    let draft = Draft()
    draft.body = "a"
    var copy = draft
    copy.cursor = 9
    copy.body = "b"
    #expect(draft.cursor == 7)
    #expect(draft.body == "b")
    try await magic.update(copy)
    #expect(draft.zIndex != nil)
    guard TestedEngine.current.has(.files) else { return }
    let raw = try scratch.raw("other.db")
    #expect(
      try raw.text("SELECT group_concat(name) FROM pragma_table_info('Draft')")
        == "z_index,body,title")
  }

  @Test func aTypeThatCannotBeStoredIsRefusedBeforeAnyWrite() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    func expectRefusal<Model: MagicObject>(
      _ object: Model, named name: String, at location: SourceLocation = #_sourceLocation
    ) async {
      for call in [
        { try await magic.update(object) },
        { _ = try await magic.object(of: Model.self) as [Model] },
      ] as [@Sendable () async throws -> Void] {
        let error = await #expect(throws: MagicError.self, sourceLocation: location) {
          try await call()
        }
        #expect(error?.code == .invalidSchema, sourceLocation: location)
        #expect(error?.type == name, sourceLocation: location)
      }
      #expect(object.zIndex == nil, sourceLocation: location)
    }
    await expectRefusal(Empty(), named: "Empty")
    await expectRefusal(TwoPrimaries(), named: "TwoPrimaries")
    await expectRefusal(HiddenKey(), named: "HiddenKey")
    await expectRefusal(CaseTwins(), named: "CaseTwins")
    await expectRefusal(Reserved(), named: "Reserved")
    try scratch.expectRows(0, in: "sqlite_master")
  }

  @Test func anObjectCannotBeEncodedOrDecodedByItself() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let note = Note("a")
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([note]) }
    try await magic.update(note)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([note]) }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Note].self, from: Data("[1]".utf8))
    }
  }
}

private struct Odd: MagicObject {
  static var tableName: String { "a \"b\" 'c' 🦊; DROP" }
  static var indexes: [MagicIndex<Odd>] { [MagicIndex(\.$b, \.$d)] }

  @MagicValue(.named("x\"y")) var a: String
  @MagicValue(.named("it's"), .indexed) var b: Int = 1
  @OptionMagicValue(.named("日本 語")) var c: Double?
  @OptionMagicValue(.named("; --"), .unique) var d: String?
  @MagicValue(.named("?1 :a @b $c")) var e: Int = 5
}

private struct Select: MagicObject {
  static var tableName: String { "select" }

  @PrimaryMagicValue(.named("primary")) var id: String
  @MagicValue(.indexed) var from: String
  @OptionMagicValue(.unique) var order: String?
  @OptionMagicValue(.named(String(repeating: "länge", count: 40)), .indexed) var long: Int?
}

private struct Spaced: MagicObject {
  static var tableName: String { "A" }
  static var indexes: [MagicIndex<Spaced>] { [MagicIndex(\.$b, \.$c), MagicIndex(\.$a, \.$u)] }

  @MagicValue(.unique) var a: Int
  @MagicValue var b: Int
  @MagicValue var c: Int
  @MagicValue(.indexed, .named("b c")) var d: Int = 4
  @MagicValue(.indexed, .named("b, c")) var e: Int = 4
  @MagicValue(.named("unique")) var u: Int = 5
}

private struct SpacedOther: MagicObject {
  static var tableName: String { "A b" }

  @MagicValue(.indexed) var c: Int
  @MagicValue(.indexed, .named("b c")) var bc: Int
}

private struct Empty: MagicObject {
  var plain = 1
}

private struct TwoPrimaries: MagicObject {
  @PrimaryMagicValue var a: String
  @PrimaryMagicValue var b: String
}

private struct HiddenKey: MagicObject {
  @MagicValue(.named("Z_Index")) var a: Int = 1
}

private struct CaseTwins: MagicObject {
  @MagicValue var name: Int = 1
  @MagicValue var Name: Int = 2
}

private struct Reserved: MagicObject {
  static var tableName: String { "sqlite_mine" }
  @MagicValue var name: Int = 1
}
