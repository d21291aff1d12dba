public import Foundation
public import MagicSchema

/// An error in the text of a predicate or of an order: the position and the reason.
///
/// ```swift
/// do {
///   _ = try MagicPredicate<Person>(text: "agee > 3")
/// } catch let error as MagicError {
///   print(error.textError?.position ?? 0)  // 0
/// }
/// ```
///
/// It is the cause of a `MagicError` with the code `invalidQuery`. The reason contains no values.
public struct MagicTextError: Error, Equatable, Sendable {
  /// The number of characters before the error.
  public let position: Int
  /// What is wrong, and what to do.
  public let reason: String
}

/// `localizedDescription` is the reason, in English.
extension MagicTextError: LocalizedError {
  /// The reason.
  public var errorDescription: String? { reason }
}

extension MagicError {
  /// The position and the reason, if the text of a predicate or of an order is wrong.
  public var textError: MagicTextError? { cause as? MagicTextError }
}

/// A mistake in a text, found while it is parsed or resolved.
struct TextMistake: Error {
  let reason: String
  /// The number of Unicode scalars before the mistake.
  let position: Int
  var type: String?
  var property: String?

  init(_ reason: String, at position: Int, type: String? = nil, property: String? = nil) {
    self.reason = reason
    self.position = position
    self.type = type
    self.property = property
  }

  /// Returns the error for a text.
  func error(in text: String) -> MagicError {
    let before = String(String.UnicodeScalarView(text.unicodeScalars.prefix(position)))
    let number = before.count
    return MagicError(
      .invalidQuery, "At character \(number) of the text: \(reason)", type: type,
      property: property, cause: MagicTextError(position: number, reason: reason))
  }
}
