import Foundation
import MagicTestSupport
import Testing

@testable import MagicRuntime

/// The order of texts in a locale.
@Suite struct TextCollatorTests {
  private func order(_ left: [UInt8], _ right: [UInt8], _ collator: TextCollator) -> Int {
    left.withUnsafeBytes { left in right.withUnsafeBytes { collator.compare(left, $0) } }
  }

  private func sorted(_ texts: [String], _ locale: String) -> [String] {
    let collator = TextCollator.of(locale)
    return texts.sorted { order(Array($0.utf8), Array($1.utf8), collator) < 0 }
  }

  @Test func caseAndAccentsDecideLast() {
    #expect(
      sorted(["Zoe", "ada", "Éva", "eva", "Eva", "Ada", "éva"], "de")
        == ["ada", "Ada", "eva", "Eva", "éva", "Éva", "Zoe"])
  }

  @Test func eachLanguageHasItsOrder() {
    #expect(sorted(["z", "ä", "a"], "de") == ["a", "ä", "z"])
    #expect(sorted(["z", "ä", "a"], "sv") == ["a", "z", "ä"])
    #expect(sorted(["a", "A"], "da") == ["A", "a"])
    #expect(sorted(["d", "ch", "h", "i"], "cs") == ["d", "h", "ch", "i"])
  }

  @Test func onlyEqualBytesAreEqual() {
    let texts = ["é", "e\u{301}", "", "\0", "a", "a\0", "a\0b", "ab", "\u{AD}a"].map {
      Array($0.utf8)
    }
    let invalid: [[UInt8]] = [[0xFF], [0xFE], [0xC3], [0xEF, 0xBF, 0xBD], [0x61, 0x80]]
    let collator = TextCollator.of("de")
    for left in texts + invalid {
      for right in texts + invalid {
        #expect((order(left, right, collator) == 0) == (left == right), "\(left) \(right)")
      }
    }
  }

  /// Texts of letters, accents, ignored characters, parts of syllables and invalid bytes.
  private func texts(_ count: Int, _ random: inout some RandomNumberGenerator) -> [[UInt8]] {
    let parts =
      [
        "a", "A", "b", "Z", "é", "e", "e\u{301}", "\u{301}", "\u{327}", "ß", "s", " ", "-", "\0",
        "1", "c", "h", "한", "\u{1112}\u{1161}", "하", "😀", "\u{1F468}\u{200D}", "\u{200D}",
        "\u{FFFD}", "\u{10FFFF}", "ｱ", "ア", "i", "İ", "ı", "\u{AD}", "\u{1}", "\u{2}",
      ].map { Array($0.utf8) } + [[0xFF], [0xC3]]
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...4, using: &random)).flatMap { _ in
        parts.randomElement(using: &random) ?? []
      }
    }
  }

  @Test(arguments: ["de", "sv", "cs", "ja", "th"])
  func theOrderIsTotal(_ locale: String) {
    var random = SeededRandom(7)
    let collator = TextCollator.of(locale)
    let texts = texts(48, &random)
    let orders = texts.map { left in texts.map { order(left, $0, collator).signum() } }
    for first in texts.indices {
      for second in texts.indices {
        #expect(orders[first][second] == -orders[second][first])
        for third in texts.indices
        where orders[first][second] <= 0 && orders[second][third] <= 0 {
          #expect(
            orders[first][third] <= 0, "\(texts[first]) \(texts[second]) \(texts[third])")
        }
      }
    }
  }

  @Test(arguments: ["de", "en_US", "fr_CA", "sv", "da", "ja"])
  func rankedCharactersAreInFoundationsOrder(_ locale: String) {
    var random = SeededRandom(11)
    let collator = TextCollator.of(locale)
    func text() -> String {
      let characters = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        Int.random(in: 0..<12, using: &random) == 0
          ? Character("ä")
          : Character(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random)))
      }
      return String(characters)
    }
    for _ in 0..<400 {
      let (left, right) = (text(), text())
      let expected = TextCollator.compare(left, right, Locale(identifier: locale))
      guard expected != 0 else { continue }
      let found = order(Array(left.utf8), Array(right.utf8), collator).signum()
      #expect(found == expected, "\(left) \(right)")
    }
  }

  @Test func aLocaleWhoseLettersJoinHasNoRanks() {
    for locale in ["de", "en", "fr", "sv", "es", "it"] {
      #expect(ASCIIOrder(Locale(identifier: locale)) != nil, "\(locale)")
    }
    for locale in ["cs", "hu", "da"] {
      #expect(ASCIIOrder(Locale(identifier: locale)) == nil, "\(locale)")
    }
  }

  @Test func theOrderedSampleShowsTheOrderOfTheLocale() {
    let samples = ["de", "sv", "cs", "da", "ja", "es"].map { TextCollator.of($0).orderedSample }
    let parts = samples.map { Set($0.split(separator: "\0", omittingEmptySubsequences: false)) }
    #expect(Set(samples).count >= 5, "German and Spanish differ from the others.")
    #expect(Set(parts).count == 1, "All samples have the same texts.")
    #expect(samples[0] == TextCollator(locale: "de").orderedSample)
    #expect(samples[0].split(separator: "\0").count > 700)
  }

  @Test func anIdentifierHasOnlyTheCharactersOfIdentifiers() {
    for identifier in ["de", "de_CH", "zh-Hant", "de@collation=phonebook", "en-u-kn-true"] {
      #expect(TextCollator.isIdentifier(identifier))
    }
    for identifier in ["", "d e", "\"", "dé", "de\0", String(repeating: "a", count: 65)] {
      #expect(!TextCollator.isIdentifier(identifier))
    }
  }
}
