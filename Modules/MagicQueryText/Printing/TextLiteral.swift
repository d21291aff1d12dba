import Foundation
import MagicEngine
import Magical

/// Values as parts of a text.
enum TextLiteral {
  /// Returns the text of a value of a type; nil if it has none.
  static func of(_ value: QueryValue, as type: (any Magical.Type)?) -> String? {
    switch value {
    case .null: return "nil"
    case .integer(let integer):
      if type is Bool.Type, integer == 0 || integer == 1 { return integer == 1 ? "TRUE" : "FALSE" }
      if let type = type as? any WrittenAsNumber.Type { return written(integer, type) }
      return "\(integer)"
    case .real(let real):
      guard real.isFinite else { return nil }
      return type is Date.Type ? "CAST(\(real), \"NSDate\")" : "\(real)"
    case .text(let text): return quoted(text)
    case .blob(let bytes):
      guard let type = type as? any WrittenAsText.Type else { return nil }
      return written(Data(bytes), type).map(quoted)
    case .object, .list: return nil
    }
  }

  private static func written<Value: WrittenValue>(
    _ stored: some MagicalPrimitive, _ type: Value.Type
  ) -> String? {
    guard let stored = stored as? Value.StoredValue else { return nil }
    return (try? Value(storedValue: stored))?.description
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
