import Foundation

extension Double {
  /// The number with a number of decimal places.
  package func places(_ count: Int) -> String {
    String(format: "%.\(count)f", locale: Locale(identifier: "en_US_POSIX"), self)
  }

  /// The number with its significant digits: two decimal places for small numbers, none for large
  /// ones.
  package var short: String { places(abs(self) < 100 ? 2 : abs(self) < 1_000 ? 1 : 0) }

  /// The number rounded to three decimal places.
  package var rounded: Double { (self * 1_000).rounded() / 1_000 }
}
