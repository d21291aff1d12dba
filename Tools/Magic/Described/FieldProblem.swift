/// Why a value cannot be stored in a property.
package struct FieldProblem: Error {
  /// A sentence, with its period.
  package let message: String

  package init(message: String) { self.message = message }

  /// The message as the end of a sentence: without its capital letter and its period.
  package var reason: String {
    let text = message.hasSuffix(".") ? message.dropLast() : message[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
