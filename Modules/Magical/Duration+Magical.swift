/// Stored as text with all attoseconds: 19 digits of seconds, a point and 18 digits. The texts have
/// the order of the durations.
///
/// A negative duration is stored as `-`, followed by the sum of the duration and 10^19 seconds:
/// minus half a second is `-9999999999999999999.500000000000000000`. Saving a duration whose seconds
/// are outside of the range of `Int64` throws.
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension Duration: Magical, StoredAsDuration {
  /// The seconds as text.
  public var storedValue: String {
    get throws {
      guard self >= .seconds(Int64.min), self < .seconds(Int64.max) + .seconds(1) else {
        throw MagicalError.cannotEncode("the duration is too long")
      }
      var (seconds, fraction) = components
      if fraction < 0 {
        seconds -= 1
        fraction += DurationDigits.attoseconds
      }
      return DurationDigits(seconds: seconds, attoseconds: fraction).text
    }
  }

  /// Creates the duration from its text; any other text throws.
  public init(storedValue: String) throws {
    guard let digits = DurationDigits(storedValue) else {
      throw MagicalError.cannotDecode("the text is not a duration")
    }
    self.init(secondsComponent: digits.seconds, attosecondsComponent: digits.attoseconds)
  }
}

/// A type whose column value is the text of a duration.
protocol StoredAsDuration {}
