import MagicPostgreSQL
import MagicTestSupport
import Testing

@Suite struct TextTests {
  private func escaped(_ text: [UInt8]) -> [UInt8] {
    nonisolated(unsafe) var bytes: [UInt8] = []
    text.withUnsafeBytes { text in PostgreSQLText.escape(text) { bytes.append($0) } }
    return bytes
  }

  private func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { PostgreSQLText.unescape($0) ?? Array($0) }
  }

  private func text(_ random: inout SeededRandom) -> [UInt8] {
    (0..<Int.random(in: 0...20, using: &random)).map { _ in
      UInt8.random(in: 0...(Bool.random(using: &random) ? 4 : 127), using: &random)
    }
  }

  @Test func fourCharactersAreReplaced() {
    #expect(escaped([0, 1, 2, 3, 4]) == [1, 2, 2, 1, 2, 3, 1, 3, 2, 1, 3, 3, 4])
  }

  @Test func everyTextIsRestored() {
    var random = SeededRandom(1)
    for _ in 0..<5_000 {
      let text = text(&random)
      #expect(unescaped(escaped(text)) == text)
      #expect(!escaped(text).contains(0))
      #expect(
        text.withUnsafeBytes { PostgreSQLText.needsEscape($0) } == text.contains { $0 < 4 })
    }
  }

  @Test func theOrderAndThePartsOfTextsStayTheSame() {
    var random = SeededRandom(2)
    for _ in 0..<5_000 {
      let (left, right) = (text(&random), text(&random))
      #expect(
        left.lexicographicallyPrecedes(right)
          == escaped(left).lexicographicallyPrecedes(escaped(right)))
      #expect(left.starts(with: right) == escaped(left).starts(with: escaped(right)))
    }
  }
}
