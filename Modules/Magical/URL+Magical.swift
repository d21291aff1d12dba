public import Foundation

/// Stored as its absolute string.
extension URL: Magical {
  /// The absolute string.
  public var storedValue: String { absoluteString }

  /// Creates the URL from an absolute string; an invalid URL throws.
  public init(storedValue: String) throws {
    guard let value = URL(string: storedValue) else {
      throw MagicalError.cannotDecode("the text is not a URL")
    }
    self = value
  }
}
