import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Keys of many types, stored as their columns would be, or as JSON.
@Suite(.everyEngine) struct DictionaryKeyTests {
  let scratch = Scratch()

  enum Suit: String, Magical, Codable, Hashable, CaseIterable { case clubs, hearts, spades }
  enum Size: Int, Magical, Codable, Hashable { case small = 1, large = -5 }

  struct Place: Codable, Hashable {
    var row: Int
    var column: String
    var extra: [String: Int] = ["z": 1, "a": 2, "m": 3]
    var note: String?
  }

  private struct Board<Key: Hashable & Codable & Sendable>: MagicObject {
    @PrimaryMagicValue var id: String = "board"
    @MagicValue var notes: [Key: Note] = [:]
    static var tableName: String { "Board" }
  }

  /// Saves, replaces, removes and adds values for the keys, and compares the stored rows.
  private func roundTrip<Key: Hashable & Codable & Sendable>(
    _ keys: [Key], storedAs type: String
  ) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    func stored() async throws -> Board<Key> {
      try await magic.object(of: Board<Key>.self, primary: "board")
    }
    let board = Board<Key>()
    for (index, key) in keys.enumerated() { board.notes[key] = Note("\(index)") }
    #expect(board.notes.count == keys.count)
    try await magic.update(board)
    if TestedEngine.current.has(.files) {
      let types = try scratch.raw().text(
        "SELECT group_concat(DISTINCT typeof(key)) FROM \"magic_Board.notes\"")
      #expect(types == type)
    }
    let first = try await stored()
    for (index, key) in keys.enumerated() { #expect(first.notes[key]?.text == "\(index)") }
    first.notes[keys[0]] = Note("replaced")
    first.notes[keys[1]] = nil
    try await magic.update(first)
    var again = try await stored()
    #expect(again.notes.count == keys.count - 1)
    #expect(again.notes[keys[0]]?.text == "replaced")
    #expect(again.notes[keys[1]] == nil)
    again.notes[keys[1]] = again.notes[keys[0]]
    again.notes[keys[0]] = nil
    try await magic.update(again)
    again = try await stored()
    #expect(again.notes.count == keys.count - 1)
    #expect(again.notes[keys[1]]?.text == "replaced")
    // A new instance replaces all elements.
    let taken = Board<Key>()
    taken.notes = [keys[2]: Note("taken")]
    try await magic.update(taken)
    #expect(try await stored().notes.mapValues(\.text) == [keys[2]: "taken"])
    try scratch.expectRows(1, in: "magic_Board.notes")
  }

  @Test func texts() async throws {
    try await roundTrip(["a", "", "A", "it's \"quoted\"", "🗝️", "\u{0}x"], storedAs: "text")
  }

  @Test func integers() async throws {
    try await roundTrip([0, -1, Int.max, Int.min, 7], storedAs: "integer")
  }

  @Test func uuids() async throws {
    try await roundTrip((0..<5).map { _ in UUID() }, storedAs: "text")
  }

  @Test func dates() async throws {
    let dates = [0, -1e9, 0.1 + 0.2, 5e8].map { Date(timeIntervalSinceReferenceDate: $0) }
    try await roundTrip(dates, storedAs: "real")
  }

  @Test func reals() async throws {
    try await roundTrip(
      [0.0, 0.1 + 0.2, -1.5, .infinity, .greatestFiniteMagnitude, 3.0, .leastNonzeroMagnitude],
      storedAs: "real")
  }

  @Test func truthValues() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let board = Board<Bool>()
    board.notes = [true: Note("yes"), false: Note("no")]
    try await magic.update(board)
    let stored = try await magic.object(of: Board<Bool>.self)[0]
    #expect(stored.notes.mapValues(\.text) == [true: "yes", false: "no"])
    stored.notes[true] = nil
    try await magic.update(stored)
    #expect(
      try await magic.object(of: Board<Bool>.self)[0].notes.mapValues(\.text) == [false: "no"])
  }

  @Test func enumerationsOfTexts() async throws {
    try await roundTrip(Suit.allCases, storedAs: "text")
  }

  @Test func enumerationsOfIntegers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let board = Board<Size>()
    board.notes = [.small: Note("s"), .large: Note("l")]
    try await magic.update(board)
    if TestedEngine.current.has(.files) {
      #expect(try scratch.raw().integer("SELECT min(key) FROM \"magic_Board.notes\"") == -5)
    }
    let stored = try await magic.object(of: Board<Size>.self)[0]
    #expect(stored.notes.mapValues(\.text) == [.small: "s", .large: "l"])
  }

  @Test func structsAreStoredAsJSON() async throws {
    try await roundTrip(
      [
        Place(row: 1, column: "a"), Place(row: 1, column: "b"), Place(row: 2, column: "a"),
        Place(row: 1, column: "a", note: "x"), Place(row: 1, column: "a", extra: [:]),
      ], storedAs: "blob")
  }

  @Test func anotherSpellingOfAKeyIsTheSameKey() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let board = Board<String>()
    board.notes = [composed: Note("old")]
    try await magic.update(board)
    board.notes = [decomposed: Note("new")]
    try await magic.update(board)
    #expect(try await magic.object(of: Board<String>.self)[0].notes[composed]?.text == "new")
    try scratch.expectRows(1, in: "magic_Board.notes")
    board.notes = [composed: Note("newer"), "b": Note("b")]
    try await magic.update(board)
    let stored = try await magic.object(of: Board<String>.self)[0]
    #expect(stored.notes.mapValues(\.text) == [composed: "newer", "b": "b"])
    board.notes[decomposed] = nil
    try await magic.update(board)
    #expect(try await magic.object(of: Board<String>.self)[0].notes.mapValues(\.text) == ["b": "b"])
    // A new instance that replaces the row may use another spelling.
    let taken = Board<String>()
    taken.notes = [composed: Note("c"), "b": Note("d")]
    try await magic.update(taken)
    taken.notes = [decomposed: Note("e"), "b": Note("f")]
    try await magic.update(taken)
    let last = try await magic.object(of: Board<String>.self)[0]
    #expect(last.notes.mapValues(\.text) == [composed: "e", "b": "f"])
  }

  @Test(.requires(.files)) func ofTwoStoredSpellingsOfAKeyTheLaterOneIsUsed() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    for (id, keys) in [("one", [composed, "b"]), ("other", [composed, "b", "c"])] {
      let board = Board<String>()
      board.id = id
      for key in keys { board.notes[key] = Note("\(id) \(key)") }
      try await magic.update(board)
    }
    try scratch.raw().execute(
      """
      INSERT INTO "magic_Board.notes" (owner, key, target)
      SELECT owner, '\(decomposed)', target FROM "magic_Board.notes" WHERE key = 'b'
      """)
    // The join rows are in the order of the bytes of their keys.
    let all = try await magic.object(of: Board<String>.self)
    let one = try await magic.object(of: Board<String>.self, primary: "one")
    for (board, count) in [(all[0], 2), (all[1], 3), (one, 2)] {
      #expect(board.notes.count == count)
      #expect(board.notes[decomposed]?.text == "\(board.id) \(composed)")
      #expect(board.notes["b"]?.text == "\(board.id) b")
    }
  }

  @Test(.requires(.files)) func theErrorNamesAKeyThatCannotBeStored() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let board = Board<Double>()
    board.notes = [.nan: Note("a")]
    let error = await #expect(throws: MagicError.self) { try await magic.update(board) }
    #expect(error?.code == .cannotEncode)
    #expect(error?.property == "notes")
    #expect(board.zIndex == nil)
    board.notes = [1: Note("a")]
    try await magic.update(board)
    try scratch.raw().execute("UPDATE \"magic_Board.notes\" SET key = 'text'")
    let second = await #expect(throws: MagicError.self) {
      try await magic.object(of: Board<Double>.self)
    }
    #expect(second?.code == .cannotDecode)
    #expect(second?.property == "notes")
  }
}
