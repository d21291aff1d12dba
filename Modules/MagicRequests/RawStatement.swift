package import MagicSchema
package import Magical

/// A statement in the engine's dialect, or a part of one, with its arguments.
package struct RawStatement: Sendable {
  /// The text, with `?` for each argument.
  package var text: String
  /// The arguments, in the order of their `?`.
  package private(set) var arguments: [RawArgument] = []
  /// The arguments of named parameters, by name.
  package var named: [String: RawArgument] = [:]
  /// The types that the statement names.
  package private(set) var schemas: [ObjectSchema] = []
  /// The names of tables and columns in the text, in the order of their offsets.
  package private(set) var names: [Name] = []
  /// Whether the text contains several statements, which run one after the other.
  package var isScript = false
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
    let start = text.utf8.count
    for var name in other.names {
      name.offset += start
      names.append(name)
    }
    text += other.text
    arguments += other.arguments
    for schema in other.schemas { note(schema) }
    if let mistake = other.mistake { note(mistake) }
  }

  /// Appends the quoted name of a table or column, and records its position.
  package mutating func append(name: String, _ kind: Name.Kind, of schema: ObjectSchema) {
    note(schema)
    names.append(Name(offset: text.utf8.count, length: name.utf8.count, kind: kind, schema: schema))
    text += name
  }

  package mutating func note(_ schema: ObjectSchema) {
    if !schemas.contains(where: { $0 === schema }) { schemas.append(schema) }
  }

  package mutating func note(_ mistake: MagicError) {
    if self.mistake == nil { self.mistake = mistake }
  }
}

extension RawStatement {
  /// The name of a table or column in the text of a statement.
  package struct Name: Sendable {
    package enum Kind: Sendable {
      case table
      /// A column without a qualifier, with its index in the type; ``ColumnPath/rowID`` for the row
      /// ID.
      case column(Int)
      /// A column after the name or alias of its table.
      case qualifiedColumn(Int)
      case links
    }

    /// The offset of the name in the text, as the number of UTF-8 code units.
    package fileprivate(set) var offset: Int
    /// The number of UTF-8 code units of the name.
    package let length: Int
    package let kind: Kind
    package let schema: ObjectSchema

    package var end: Int { offset + length }

    /// Whether the name is a column without a qualifier.
    package var isUnqualified: Bool { if case .column = kind { true } else { false } }

    package var isTable: Bool { if case .table = kind { true } else { false } }
  }

  /// Returns a part of the text as a statement, with its arguments and the types that it names.
  ///
  /// - Parameters:
  ///   - range: the offsets of the part, as numbers of UTF-8 code units.
  ///   - parameters: the range of its arguments.
  ///   - used: the names of its named parameters.
  package func part(
    _ range: Range<Int>, arguments parameters: Range<Int>, named used: Set<String>
  ) -> RawStatement {
    let text = text.utf8
    var part = RawStatement(
      text: String(
        self.text[
          text.index(
            text.startIndex, offsetBy: range.lowerBound)..<text.index(
              text.startIndex, offsetBy: range.upperBound)]))
    part.arguments = Array(arguments[parameters])
    part.named = named.filter { used.contains($0.key) }
    part.mistake = mistake
    for var name in names where range.contains(name.offset) {
      name.offset -= range.lowerBound
      part.names.append(name)
      part.note(name.schema)
    }
    return part
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
