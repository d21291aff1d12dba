import EngineConformance
import Foundation
import MagicQuery
import Testing

@Suite(.everyEngine) struct TextTests {
  @Test func aPatternThatIsTooLongIsAnInvalidQuery() throws {
    let test = try TestStore.ofResidents()
    let long = test.store.query(Resident.self).where {
      $0.$name.like(String(repeating: "x", count: 60_000))
    }
    #expect(code { try long.count() } == .invalidQuery)
  }

  let test: TestStore

  init() throws { test = try TestStore.ofResidents() }

  @Test func aPrefixIsARangeThatUsesAnIndex() throws {
    try test.expect({ $0.$name.hasPrefix("D") }, "t0.\"name\" >= ?1 AND t0.\"name\" < ?2", ["Dora"])
    try test.expect(
      { !$0.$nick.hasPrefix("b") }, "(t0.\"nick\" >= ?1 AND t0.\"nick\" < ?2) IS NOT TRUE",
      ["Ada", "Cleo", "Dora"])
    try test.expect(
      { $0.$name.hasPrefix("") }, "t0.\"name\" >= ?1", ["Ada", "Ben", "Cleo", "Dora"])
  }

  @Test func suffixesAndPartsAreMatchedLiterally() throws {
    try test.expect(
      { $0.$name.hasSuffix("o") }, "substr(CAST(t0.\"name\" AS BLOB), -length(?1)) = ?1", ["Cleo"])
    try test.expect({ $0.$nick.hasSuffix("") }, "t0.\"nick\" IS NOT NULL", ["Ben", "Dora"])
    try test.expect({ $0.$nick.contains("0%_\\") }, "instr(t0.\"nick\", ?1) > 0", ["Dora"])
    try test.expect({ $0.$nick.contains("0__") }, "instr(t0.\"nick\", ?1) > 0", [])
    try test.expect({ $0.$name.contains("d") }, "instr(t0.\"name\", ?1) > 0", ["Ada"])
  }

  @Test func aPatternHasPlaceholdersAndAnEscape() throws {
    try test.expect({ $0.$name.like("%A") }, "t0.\"name\" LIKE ?1 ESCAPE '\\'", ["Ada", "Dora"])
    try test.expect({ $0.$nick.like("100\\%\\_%") }, "t0.\"nick\" LIKE ?1 ESCAPE '\\'", ["Dora"])
  }

  @Test func onlyASCIILettersAreComparedWithoutCase() throws {
    try test.expect({ $0.$name.lowercased() == "ada" }, "magic_lower(t0.\"name\") = ?1", ["Ada"])
    try test.expect({ $0.$nick.uppercased() == "BENNY" }, "magic_upper(t0.\"nick\") IS ?1", ["Ben"])
  }

  static let hostile = [
    "'; DROP TABLE Resident; --", "\"", "\u{0}", "a\u{0}b", "a\u{0}c", "👩‍👩‍👧", "\u{10FFFF}",
    "\u{D7FF}", "\u{D7FF}x",
    "e\u{301}", "é", "%", "_", "\\", "?1", "", " ", "\u{E000}",
  ]

  @Test func hostileTextsAreBoundAndCompareByTheirBytes() throws {
    let test = try TestStore()
    try test.store.update(contentsOf: Self.hostile.map { Resident($0, nick: $0) })
    func found(
      _ predicate: (MagicRow<Resident>) -> MagicPredicate<Resident>
    ) throws -> Set<[UInt8]> {
      Set(try test.store.query(Resident.self).where(predicate).all().map { Array($0.name.utf8) })
    }
    func expected(_ accepts: ([UInt8]) -> Bool) -> Set<[UInt8]> {
      Set(Self.hostile.map { Array($0.utf8) }.filter(accepts))
    }
    for text in Self.hostile {
      let bytes = Array(text.utf8)
      #expect(try found { $0.$name == text } == expected { $0 == bytes })
      #expect(try found { $0.$nick == text } == expected { $0 == bytes })
      #expect(try found { $0.$name.in([text]) } == expected { $0 == bytes })
      #expect(try found { $0.$name < text } == expected { $0.lexicographicallyPrecedes(bytes) })
      #expect(try found { $0.$name.hasPrefix(text) } == expected { $0.starts(with: bytes) })
      #expect(
        try found { $0.$name.hasSuffix(text) }
          == expected { $0.reversed().starts(with: bytes.reversed()) })
      #expect(
        try found { $0.$name.contains(text) }
          == expected { whole in
            bytes.isEmpty
              || whole.indices.contains { whole[$0...].starts(with: bytes) }
          })
    }
    #expect(try test.store.query(Resident.self).count() == Self.hostile.count)
  }
}
