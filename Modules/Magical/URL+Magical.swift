public import Foundation

/// Stored as its absolute string.
extension URL: Magical {
  public var storedValue: String { absoluteString }

  public init(storedValue: String) throws {
    guard let value = URL(string: storedValue) else {
      throw MagicalError.cannotDecode("the text is not a URL")
    }
    self = value
  }
}
