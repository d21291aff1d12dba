import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Many columns, large values, many rows.
@Suite(.everyEngine) struct LargeRowTests {
  let scratch = Scratch()

  @Test func aTypeMayHaveMoreThan64Properties() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let wide = Wide()
    wide.a0 = -1
    wide.h9 = "last"
    try await magic.update(wide)
    let fetched = try #require(try await magic.object(of: Wide.self).first)
    #expect(fetched.a0 == -1)
    #expect(fetched.a9 == 9)
    #expect(fetched.g9 == nil)
    #expect(fetched.h9 == "last")

    fetched.g9 = "set"
    fetched.a1 = 100
    fetched.h9 = nil
    try await magic.update(fetched)
    let again = try #require(try await magic.object(of: Wide.self).first)
    #expect((again.a0, again.a1, again.a2) == (-1, 100, 2))
    #expect(again.g9 == "set")
    #expect(again.h9 == nil)
  }

  @Test func aTextAndABlobOfFiveMegabytesAreFetchedUnchanged() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let text = String(repeating: "0123456789abcdé", count: 5_000_000 / 16)
    let blob = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0) })
    try await magic.update(contentsOf: [Box("small", "s"), Box(text, text), Box("last", nil)])
    let boxes = try await magic.object(of: Box<String>.self)
    #expect(boxes.map(\.value) == ["small", text, "last"])
    #expect(boxes.map(\.option) == ["s", text, nil])
    let other = try await MagicData.onTestedEngine(path: scratch.file("other.db"))
    try await other.update(Box(blob))
    #expect(try await other.object(of: Box<Data>.self).map(\.value) == [blob])
  }

  @Test func rowsOfSizesAroundAChunkAreFetchedUnchanged() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    var sizes = Array(8 * 1024 - 60..<8 * 1024) + Array(32 * 1024 - 80..<32 * 1024 + 10)
    for power in 0..<20 { sizes += [1 << power, (1 << power) - 1] }
    let boxes = sizes.map { size in
      Box(String(repeating: "x", count: size), size.isMultiple(of: 3) ? nil : "option \(size)")
    }
    try await magic.update(contentsOf: boxes)
    let fetched = try await magic.object(of: Box<String>.self)
    #expect(fetched.map { $0.value.utf8.count } == sizes)
    #expect(fetched.map(\.option) == boxes.map(\.option))
    fetched[7].value = "changed"
    try await magic.update(fetched[7])
    #expect(try await magic.object(of: Box<String>.self)[7].value == "changed")
  }

  @Test func manyRowsAreFetchedUnchanged() async throws {
    let magic = try await MagicData.onTestedEngine(
      type: .temporary, options: MagicOptions(durability: .off))
    let count = Effort.choose(20_000, long: 100_000)
    let zIndexes = try await magic.update(
      contentsOf: (0..<count).lazy.map { index in
        let note = Note("note \(index)")
        if index.isMultiple(of: 7) { note.stars = index }
        return note
      })
    #expect(zIndexes == (1...Int64(count)).map { ZIndex(rawValue: $0) })
    let notes = try await magic.object(of: Note.self)
    #expect(notes.count == count)
    var wrong = 0
    for (index, note) in notes.enumerated() {
      let isRight =
        note.text == "note \(index)" && note.stars == (index.isMultiple(of: 7) ? index : nil)
        && note.zIndex == zIndexes[index]
      if !isRight { wrong += 1 }
    }
    #expect(wrong == 0)
    let last = try await magic.object(of: Note.self).where { $0.text == "note \(count - 1)" }
    #expect(last.zIndex?.rawValue == Int64(count))
  }
}

struct Wide: MagicObject {
  @MagicValue var a0 = 0
  @MagicValue var a1 = 1
  @MagicValue var a2 = 2
  @MagicValue var a3 = 3
  @MagicValue var a4 = 4
  @MagicValue var a5 = 5
  @MagicValue var a6 = 6
  @MagicValue var a7 = 7
  @MagicValue var a8 = 8
  @MagicValue var a9 = 9
  @MagicValue var b0 = 10
  @MagicValue var b1 = 11
  @MagicValue var b2 = 12
  @MagicValue var b3 = 13
  @MagicValue var b4 = 14
  @MagicValue var b5 = 15
  @MagicValue var b6 = 16
  @MagicValue var b7 = 17
  @MagicValue var b8 = 18
  @MagicValue var b9 = 19
  @MagicValue var c0 = 20
  @MagicValue var c1 = 21
  @MagicValue var c2 = 22
  @MagicValue var c3 = 23
  @MagicValue var c4 = 24
  @MagicValue var c5 = 25
  @MagicValue var c6 = 26
  @MagicValue var c7 = 27
  @MagicValue var c8 = 28
  @MagicValue var c9 = 29
  @MagicValue var d0 = 30
  @MagicValue var d1 = 31
  @MagicValue var d2 = 32
  @MagicValue var d3 = 33
  @MagicValue var d4 = 34
  @MagicValue var d5 = 35
  @MagicValue var d6 = 36
  @MagicValue var d7 = 37
  @MagicValue var d8 = 38
  @MagicValue var d9 = 39
  @MagicValue var e0 = 40
  @MagicValue var e1 = 41
  @MagicValue var e2 = 42
  @MagicValue var e3 = 43
  @MagicValue var e4 = 44
  @MagicValue var e5 = 45
  @MagicValue var e6 = 46
  @MagicValue var e7 = 47
  @MagicValue var e8 = 48
  @MagicValue var e9 = 49
  @MagicValue var f0 = 50
  @MagicValue var f1 = 51
  @MagicValue var f2 = 52
  @MagicValue var f3 = 53
  @MagicValue var f4 = 54
  @MagicValue var f5 = 55
  @MagicValue var f6 = 56
  @MagicValue var f7 = 57
  @MagicValue var f8 = 58
  @MagicValue var f9 = 59
  @OptionMagicValue var g0: String?
  @OptionMagicValue var g1: String?
  @OptionMagicValue var g2: String?
  @OptionMagicValue var g3: String?
  @OptionMagicValue var g4: String?
  @OptionMagicValue var g5: String?
  @OptionMagicValue var g6: String?
  @OptionMagicValue var g7: String?
  @OptionMagicValue var g8: String?
  @OptionMagicValue var g9: String?
  @OptionMagicValue var h0: String?
  @OptionMagicValue var h1: String?
  @OptionMagicValue var h2: String?
  @OptionMagicValue var h3: String?
  @OptionMagicValue var h4: String?
  @OptionMagicValue var h5: String?
  @OptionMagicValue var h6: String?
  @OptionMagicValue var h7: String?
  @OptionMagicValue var h8: String?
  @OptionMagicValue var h9: String?

  init() {}
}
