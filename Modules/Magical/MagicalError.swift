public import Foundation

/// The reason why a value could not be converted to or from a column value.
///
/// The text is a clause without a capital first letter and without a full stop, because other
/// errors quote it. It contains no values of the user's data.
public enum MagicalError: Error, Equatable, Sendable {
  /// The value cannot be stored. The text gives the reason.
  case cannotEncode(String)
  /// The stored value is not valid for the type. The text gives the reason.
  case cannotDecode(String)
}

extension MagicalError {
  package static var notANumber: MagicalError {
    .cannotEncode("NaN cannot be stored: the database would store NULL instead")
  }

  @usableFromInline
  package static var invalidUTF8: MagicalError { .cannotDecode("the text is not valid UTF-8") }

  @usableFromInline
  package static func wrongStorageClass(
    expected: MagicalStorageClass, found: MagicalStorageClass?
  ) -> MagicalError {
    .cannotDecode("the column holds \(found?.rawValue ?? "NULL"), not \(expected.rawValue)")
  }

  @usableFromInline
  package static func outOfRange(_ type: Any.Type) -> MagicalError {
    .cannotDecode("the integer is out of range for \(type)")
  }
}

extension MagicalError: CustomStringConvertible {
  /// The reason as text.
  public var description: String {
    switch self {
    case .cannotEncode(let reason), .cannotDecode(let reason): reason
    }
  }
}

/// `localizedDescription` is the description, in English.
extension MagicalError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
