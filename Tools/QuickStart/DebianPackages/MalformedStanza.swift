/// The reason why a stanza was skipped, and its line.
package struct MalformedStanza: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    case continuationWithoutField
    case missingColon
    case invalidFieldName
    case duplicateField(name: String, firstLine: Int)
    case invalidUTF8
    case missingField(name: String)
    case invalidValue(field: String, expected: String)
  }

  /// The line number in the file, from 1.
  package let line: Int
  package let reason: Reason

  package init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }
}

extension MalformedStanza: CustomStringConvertible {
  package var description: String { "line \(line): \(reason)" }
}

// Messages quote only valid field names, which are printable ASCII, so a hostile file cannot send
// control sequences to the terminal.
extension MalformedStanza.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .continuationWithoutField:
      "a continuation line has no field to continue"
    case .missingColon:
      "the line has no colon after a field name"
    case .invalidFieldName:
      "the field name is empty or has characters a field name may not have"
    case .duplicateField(let name, let firstLine):
      "the field \(name) was already given on line \(firstLine)"
    case .invalidUTF8:
      "the text is not valid UTF-8"
    case .missingField(let name):
      "the stanza that starts here has no \(name) field"
    case .invalidValue(let field, let expected):
      "the field \(field) is not \(expected)"
    }
  }
}
