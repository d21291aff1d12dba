package import Foundation

/// Compares texts as a locale orders them, by Foundation's comparison.
///
/// The order is total: texts that Foundation finds equal are ordered by their bytes, so that only
/// equal bytes are equal. Invalid UTF-8 is compared as U+FFFD. A comparison of ASCII texts takes tens
/// of nanoseconds where the locale orders ASCII by single characters, see ``ASCIIOrder``; others take
/// microseconds.
package final class TextCollator: Sendable {
  private let locale: Locale
  /// The order of ASCII texts; nil if every comparison needs Foundation.
  private let ascii: ASCIIOrder?
  let sampledOrder = Mutex<String?>(nil)

  package init(locale identifier: String) {
    locale = Locale(identifier: identifier)
    ascii = identifier.contains("@") || identifier.contains("-u-") ? nil : ASCIIOrder(locale)
  }

  /// Returns the identifier of a locale for comparisons: its language, script and region, and the
  /// collation that the user has chosen. Other preferences of the user do not concern texts.
  package static func identifier(of locale: Locale) -> String {
    let parts = locale.identifier.split(separator: "@", maxSplits: 1)
    guard let name = parts.first?.split(separator: ".").first else { return "root" }
    let keywords = parts.count > 1 ? parts[1].split(separator: ";") : []
    let collation = keywords.first { $0.hasPrefix("collation=") }
    let identifier = collation.map { "\(name)@\($0)" } ?? String(name)
    return isIdentifier(identifier) ? identifier : "root"
  }

  /// The longest identifier of a locale.
  private static let longestIdentifier = 64

  /// Whether a text can be the identifier of a locale. It is not checked whether the system has the
  /// locale, because systems differ; without it, the order is that of the root locale.
  package static func isIdentifier(_ identifier: String) -> Bool {
    func isPart(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "_-@=;".utf8.contains(byte)
      }
    }
    return (1...longestIdentifier).contains(identifier.utf8.count)
      && identifier.utf8.allSatisfy(isPart)
  }

  // MARK: Comparing

  /// Returns a negative number if the first text precedes the second, 0 if their bytes are equal, and
  /// a positive number otherwise.
  package func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let bytes = Self.compareBytes(left, right)
    guard bytes != 0 else { return 0 }
    if let result = ascii?.compare(left, right) { return result }
    let result = Self.releasing {
      Self.compare(
        String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self), locale)
    }
    return result == 0 ? bytes : result
  }

  /// Runs a body, and releases the objects of Foundation that it has made. The statement that compares
  /// may compare millions of texts.
  private static func releasing(_ body: () -> Int) -> Int {
    #if canImport(ObjectiveC)
      autoreleasepool(invoking: body)
    #else
      body()
    #endif
  }

  private static func compareBytes(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    let count = min(left.count, right.count)
    if count > 0, let first = left.baseAddress, let second = right.baseAddress {
      let order = memcmp(first, second, count)
      if order != 0 { return order < 0 ? -1 : 1 }
    }
    return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
  }

  /// Compares by Foundation.
  ///
  /// Foundation skips the common beginning of two texts before it calls ICU, and where the skipped
  /// part ends within a unit of the collation, its result depends on the other text: the order is then
  /// not transitive. So the texts begin with different characters, which every collation ignores. ICU
  /// is exact for composed texts.
  static func compare(_ left: String, _ right: String, _ locale: Locale) -> Int {
    let left = "\u{1}" + left.precomposedStringWithCanonicalMapping
    let right = "\u{2}" + right.precomposedStringWithCanonicalMapping
    return left.compare(right, options: .literal, range: nil, locale: locale).rawValue
  }
}

extension TextCollator {
  private final class Cache: Locked, @unchecked Sendable {
    @exclusivity(unchecked) var collators: [String: TextCollator] = [:]
  }

  private static let cache = Cache()
  /// The names in a file are not trusted, so that their number is limited.
  private static let cacheLimit = 64

  /// Returns the collator of a locale, which is created once in the process. Its creation takes
  /// milliseconds.
  package static func of(_ identifier: String) -> TextCollator {
    if let cached = cache.withLock({ cache.collators[identifier] }) { return cached }
    let collator = TextCollator(locale: identifier)
    return cache.withLock {
      if let cached = cache.collators[identifier] { return cached }
      if cache.collators.count < cacheLimit { cache.collators[identifier] = collator }
      return collator
    }
  }
}
