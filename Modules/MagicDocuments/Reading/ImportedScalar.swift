import DatabaseTransfer
import MagicExchange
import Magical

/// Values in JSON of other programs, in forms that documents do not have.
enum ImportedScalar {
  /// Returns the value of a form that JSON of other programs contains as a number: 0 or 1 for a Boolean value,
  /// and the digits of a decimal number. Nil for other forms and values.
  static func value(_ json: UnsafeRawBufferPointer, of form: ValueForm) -> TransferredValue? {
    switch form {
    case .bool:
      json.elementsEqual("1".utf8)
        ? .boolean(true) : json.elementsEqual("0".utf8) ? .boolean(false) : nil
    case .decimal: JSONText.isNumber(json) ? .text(Array(json)) : nil
    default: nil
    }
  }
}
