import MagicEngine

extension QueryRenderer {
  /// Renders a predicate on text. Text is compared byte by byte, including NUL characters.
  mutating func textTest(_ test: TextTest, _ text: SQLTerm) throws -> SQLTerm {
    let operand = text.operand
    let bytes = text.bytesOperand
    let condition: String
    switch test {
    case .prefix: condition = "\(bytes) >= \(parameter())"
    case .prefixRange:
      // A range comparison, for which SQLite can use an index.
      let start = "\(bytes) >= \(parameter())"
      return SQLTerm(
        "\(start) AND \(bytes) < \(parameter())", .and, mayBeNull: text.mayBeNull)
    case .suffix:
      let suffix = blobParameter()
      condition = "substr(CAST(\(text.value.text) AS BLOB), -length(\(suffix))) = \(suffix)"
    case .substring: condition = "instr(\(text.value.text), \(parameter())) > 0"
    case .pattern: condition = "\(operand) LIKE \(parameter()) ESCAPE '\\'"
    case .exactPattern: condition = "\(operand) GLOB \(parameter())"
    }
    return SQLTerm(condition, .comparison, mayBeNull: text.mayBeNull)
  }

  static func textFunction(_ function: TextFunction, _ text: SQLTerm) -> SQLTerm {
    let name =
      switch function {
      case .lowercased: "magic_lower"
      case .uppercased: "magic_upper"
      case .asciiLowercased: "lower"
      }
    return SQLTerm("\(name)(\(text.value.text))", mayBeNull: text.mayBeNull)
  }
}
