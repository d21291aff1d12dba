/// Why a value could not be turned into a column or back.
///
/// It names no value: what a user stores stays out of error texts.
public enum MagicalError: Error, Equatable, Sendable {
  /// The value has no stored form; the text says why.
  case cannotEncode(String)
  /// The stored form is no value of the type; the text says why.
  case cannotDecode(String)
}

extension MagicalError {
  package static var notANumber: MagicalError {
    .cannotEncode("NaN cannot be stored: NULL would be in its place")
  }

  package static var invalidUTF8: MagicalError { .cannotDecode("the text is not valid UTF-8") }

  package static func wrongStorageClass(
    expected: MagicalStorageClass, found: MagicalStorageClass?
  ) -> MagicalError {
    .cannotDecode("the column holds \(found?.rawValue ?? "NULL"), not \(expected.rawValue)")
  }

  package static func outOfRange(_ type: Any.Type) -> MagicalError {
    .cannotDecode("the integer is out of range for \(type)")
  }
}

extension MagicalError: CustomStringConvertible {
  /// The sentence for people.
  public var description: String {
    switch self {
    case .cannotEncode(let reason), .cannotDecode(let reason): reason
    }
  }
}
