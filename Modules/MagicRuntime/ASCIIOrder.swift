import Foundation

/// The order of the printable ASCII characters in a locale.
///
/// Most locales order ASCII texts by the ranks of their characters, and by the case of letters only
/// if all ranks are equal. The ranks are found by comparing single characters. A locale in which two
/// letters are one unit of the collation, as "ch" in Czech, has no such order.
struct ASCIIOrder: Sendable {
  /// For each byte its rank, which is that of the other case too; 0 for all other bytes.
  private let ranks: [UInt8]
  /// Whether a lower-case letter precedes the same letter in upper case.
  private let lowerFirst: Bool

  private static let digits = (low: "0", high: "9")
  /// A letter that every locale sorts after the Latin letters.
  private static let afterLatin = "\u{3B1}"
  private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

  private static func text(_ byte: UInt8) -> String { String(Unicode.Scalar(byte)) }

  private static func upper(_ letter: UInt8) -> UInt8 { letter - 32 }

  /// Returns nil if the order of the locale is another.
  init?(_ locale: Locale) {
    func precedes(_ left: String, _ right: String) -> Bool {
      TextCollator.compare(left, right, locale) < 0
    }
    let lowerFirst = precedes("a", "A")
    // Both cases of a letter have one rank: only a difference after them decides.
    for letter in Self.letters {
      let (lower, upper) = (Self.text(letter), Self.text(Self.upper(letter)))
      guard precedes(lower, upper) == lowerFirst, precedes(upper, lower) != lowerFirst,
        precedes(lower + Self.digits.low, upper + Self.digits.high),
        precedes(upper + Self.digits.low, lower + Self.digits.high)
      else { return nil }
    }
    let capitals = Self.upper(Self.letters.lowerBound)...Self.upper(Self.letters.upperBound)
    let characters = (UInt8(ascii: " ")...UInt8(ascii: "~")).filter { !capitals.contains($0) }
      .sorted { precedes(Self.text($0), Self.text($1)) }
    // Different ranks decide before every difference after them.
    for (first, second) in zip(characters, characters.dropFirst()) {
      guard precedes(Self.text(first) + Self.digits.high, Self.text(second) + Self.digits.low)
      else { return nil }
    }
    guard let last = characters.last, precedes(Self.text(last), Self.afterLatin) else { return nil }
    for first in Self.letters {
      for second in Self.letters where !Self.areSeparate(first, second, precedes) { return nil }
    }
    var ranks = [UInt8](repeating: 0, count: 256)
    for (place, byte) in characters.enumerated() {
      ranks[Int(byte)] = UInt8(place + 1)
      if Self.letters.contains(byte) { ranks[Int(Self.upper(byte))] = UInt8(place + 1) }
    }
    self.ranks = ranks
    self.lowerFirst = lowerFirst
  }

  /// Whether two letters are two units of the collation: together they are between the first letter
  /// with a digit and the first letter with a letter of another script.
  private static func areSeparate(
    _ first: UInt8, _ second: UInt8, _ precedes: (String, String) -> Bool
  ) -> Bool {
    for start in [text(first), text(upper(first))] {
      for end in [text(second), text(upper(second))] {
        guard precedes(start + digits.high, start + end), precedes(start + end, start + afterLatin)
        else { return false }
      }
    }
    return true
  }

  /// Returns the order of two texts that are not equal; nil if other characters may decide.
  func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int? {
    ranks.withUnsafeBufferPointer { ranks in
      func rank(_ byte: UInt8) -> UInt8 { ranks[Int(byte)] }
      /// A character that is not in ASCII may be a part of the character before it.
      func isEnd(_ place: Int, of text: UnsafeRawBufferPointer) -> Bool {
        place == text.count || rank(text[place]) != 0
      }
      let count = min(left.count, right.count)
      var firstCase = 0
      for place in 0..<count {
        let (a, b) = (left[place], right[place])
        let (first, second) = (rank(a), rank(b))
        guard first != 0, second != 0 else { return nil }
        if first != second {
          guard isEnd(place + 1, of: left), isEnd(place + 1, of: right) else { return nil }
          return first < second ? -1 : 1
        }
        if a != b, firstCase == 0 { firstCase = (a > b) == lowerFirst ? -1 : 1 }
      }
      guard isEnd(count, of: left), isEnd(count, of: right) else { return nil }
      if left.count != right.count {
        // The rest of the longer text may have no weight of its own.
        let longer = left.count > right.count ? left : right
        guard longer[count...].allSatisfy({ rank($0) != 0 }) else { return nil }
        return left.count < right.count ? -1 : 1
      }
      return firstCase
    }
  }
}
