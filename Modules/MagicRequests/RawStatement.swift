package import MagicSchema
package import Magical

/// A statement in the engine's dialect, or a part of one, with its arguments.
package struct RawStatement: Sendable {
  /// The text, with `?` for each argument.
  package var text: String
  /// The arguments, in the order of their `?`.
  package private(set) var arguments: [RawArgument] = []
  /// The types that the statement names.
  package private(set) var schemas: [ObjectSchema] = []
  /// The first error in the construction of the statement. Thrown when the statement runs.
  package private(set) var mistake: MagicError?

  package init(text: String = "") { self.text = text }

  package mutating func reserveCapacity(text: Int, arguments: Int) {
    self.text.reserveCapacity(text)
    self.arguments.reserveCapacity(arguments)
  }

  package mutating func append(_ argument: RawArgument) {
    text += "?"
    arguments.append(argument)
  }

  /// Appends arguments as a list in parentheses.
  package mutating func append(list: [RawArgument]) {
    text += "(\(Array(repeating: "?", count: list.count).joined(separator: ", ")))"
    arguments += list
  }

  package mutating func append(_ other: RawStatement) {
    text += other.text
    arguments += other.arguments
    for schema in other.schemas { note(schema) }
    if let mistake = other.mistake { note(mistake) }
  }

  package mutating func note(_ schema: ObjectSchema) {
    if !schemas.contains(where: { $0 === schema }) { schemas.append(schema) }
  }

  package mutating func note(_ mistake: MagicError) {
    if self.mistake == nil { self.mistake = mistake }
  }
}

/// An argument of a raw statement. It is encoded when the statement runs.
package enum RawArgument: Sendable {
  case null
  case value(any Magical & Sendable)
  /// The row ID of an object.
  case object(any MagicObject)

  package init(_ value: (some Magical & Sendable)?) {
    if let value { self = .value(value) } else { self = .null }
  }

  package init(object: (some MagicObject)?) {
    if let object { self = .object(object) } else { self = .null }
  }
}
