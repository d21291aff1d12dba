/// Stored as a text of one character.
extension Character: Magical {
  /// The character as text.
  public var storedValue: String { String(self) }

  /// Creates the character from a text of one character; any other text throws.
  public init(storedValue: String) throws {
    guard let value = storedValue.first, storedValue.count == 1 else {
      throw MagicalError.cannotDecode("the text is not one character")
    }
    self = value
  }
}
