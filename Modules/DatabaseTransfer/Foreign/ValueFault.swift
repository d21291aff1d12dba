import MagicSchema

/// Why a value of a foreign database cannot be imported. The text is the end of a sentence.
package struct ValueFault: Error {
  package let reason: String

  package init(reason: String) { self.reason = reason }

  /// Runs a body, and adds the place of the value to an error.
  ///
  /// - Parameter place: the row of the value, as the end of "A value …".
  /// - Throws: `MagicError` with `.cannotDecode` in place of a ``ValueFault``; what the body throws.
  package static func located<Result>(
    _ place: @autoclosure () -> String, type: String, property: String?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let fault as ValueFault {
      let location = place()
      throw MagicError(
        .cannotDecode, "A value \(location) cannot be imported: \(fault.reason).", type: type,
        property: property)
    } catch let error as MagicError where error.code == .assetMissing {
      throw MagicError(
        .assetMissing, error.message, type: type, property: property, cause: error.cause)
    }
  }
}
