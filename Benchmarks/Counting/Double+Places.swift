import Foundation

extension Double {
  /// With so many digits behind the point.
  package func places(_ count: Int) -> String {
    String(format: "%.\(count)f", locale: Locale(identifier: "en_US_POSIX"), self)
  }

  /// With as many digits as tell something: two places of small numbers, none of large ones.
  package var short: String { places(abs(self) < 100 ? 2 : abs(self) < 1_000 ? 1 : 0) }

  /// To three places.
  package var rounded: Double { (self * 1_000).rounded() / 1_000 }
}
