extension QueryRenderer {
  /// What is asked of a text. The parameters are compared by bytes, NUL characters included.
  mutating func text(_ operation: Operation, _ reader: inout ExpressionDecoder) throws -> SQLTerm {
    let hasEnd = operation == .hasPrefix ? try reader.next() : 0
    let text = try term(&reader)
    let operand = text.operand
    let condition: String
    switch operation {
    case .hasPrefix:
      let start = "\(operand) >= \(parameter())"
      // A range of texts, which an index finds.
      guard hasEnd == 1 else {
        return SQLTerm(start, .comparison, mayBeNull: text.mayBeNull)
      }
      return SQLTerm(
        "\(start) AND \(operand) < \(parameter())", .and, mayBeNull: text.mayBeNull)
    case .hasSuffix:
      let suffix = parameter()
      condition = "substr(CAST(\(text.value.text) AS BLOB), -length(\(suffix))) = \(suffix)"
    case .containsText: condition = "instr(\(text.value.text), \(parameter())) > 0"
    case .like: condition = "\(operand) LIKE \(parameter()) ESCAPE '\\'"
    case .lowercased:
      return SQLTerm("lower(\(text.value.text))", mayBeNull: text.mayBeNull)
    default:
      return SQLTerm("upper(\(text.value.text))", mayBeNull: text.mayBeNull)
    }
    return SQLTerm(condition, .comparison, mayBeNull: text.mayBeNull)
  }
}
