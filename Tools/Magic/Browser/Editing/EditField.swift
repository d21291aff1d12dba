import Foundation
import MagicData
import MagicDescribedTypes
import MagicInspection

/// A field of a form: a property of a type, with what its text means.
struct EditField: Sendable {
  /// Where the value is stored.
  enum Source: Hashable, Sendable {
    case column(InspectedColumn)
    case members(InspectedRelationship)
  }

  let source: Source
  /// The name in Swift.
  let property: String
  /// The type, for a reader.
  let typeText: String
  let isOptional: Bool
  /// The table of the objects that the property refers to.
  let target: String?
  /// Why no object's property can be edited; nil if it can.
  let obstacle: String?
  /// What the form says about the property.
  var note: String?

  var isEditable: Bool { obstacle == nil }

  /// Whether an empty text is a value. For other forms it is none.
  var acceptsEmptyText: Bool {
    switch source {
    case .column(let column): column.form == .text
    case .members: true
    }
  }

  /// Whether the values are those of a list.
  var isChoice: Bool {
    guard case .column(let column) = source else { return false }
    return column.form == .bool || column.form == .enumeration
  }

  /// The longest text of a field, in bytes.
  static let textLimit = 64 << 10

  init(
    _ column: InspectedColumn, in database: InspectedDatabase,
    types: [String: any MagicObject.Type]
  ) {
    source = .column(column)
    property = column.property
    typeText = column.typeText
    isOptional = column.isOptional
    target = column.target
    obstacle = Self.obstacle(column, types)
  }

  init(
    _ relationship: InspectedRelationship, of type: InspectedType, in database: InspectedDatabase,
    types: [String: any MagicObject.Type]
  ) {
    source = .members(relationship)
    property = relationship.property
    typeText = relationship.swiftType ?? relationship.form.name
    isOptional = false
    target = relationship.target
    obstacle = Self.obstacle(relationship, types)
  }

  /// Creates the field of a property of a type that the program does not have.
  init(described column: InspectedColumn, in database: InspectedDatabase) {
    source = .column(column)
    property = column.property
    typeText = column.typeText
    isOptional = column.isOptional
    target = column.target
    obstacle = Self.describedObstacle(column, database)
    if column.mayBeVersion {
      note = "It seems to be the version: if you do not change it, saving increases it by 1."
    }
  }

  /// Creates the field of a collection of a type that the program does not have.
  init(described relationship: InspectedRelationship) {
    source = .members(relationship)
    property = relationship.property
    typeText = relationship.swiftType ?? relationship.form.name
    isOptional = false
    target = relationship.target
    obstacle =
      relationship.form == .inverse
      ? Self.isInverse : "It is a collection. A program that has the type edits it."
  }

  private static func describedObstacle(
    _ column: InspectedColumn, _ database: InspectedDatabase
  ) -> String? {
    if column.isRowID { return "It is the row ID, which the database assigns." }
    if column.isGuess { return "The file does not contain what its values represent." }
    switch column.form {
    case .one:
      return column.target.flatMap(database.type(ofTable:)) == nil
        ? "The file does not have the type of these objects." : nil
    case .enumeration where column.cases.isEmpty: return "The file does not contain its cases."
    case .text, .integer, .real:
      guard !DescribedValue.hasKnownValues(column) else { return obstacle(column, [:]) }
      return "The file does not contain which values the type "
        + "\(InspectedText.line(column.typeText)) has."
    default: return obstacle(column, [:])
    }
  }

  private static let isInverse = "The other objects refer to this one. Edit them."
  private static let isLazy = "It is lazy. A program edits it."

  private static func obstacle(
    _ column: InspectedColumn, _ types: [String: any MagicObject.Type]
  ) -> String? {
    if column.swiftType?.hasPrefix("AsyncMagical<") == true { return isLazy }
    switch column.form {
    case .text, .integer, .real, .bool, .date, .uuid, .uuidBytes, .url, .decimal, .enumeration,
      .json:
      return nil
    case .one: return targetObstacle(column.target, types)
    case .asset: return "It is a file. A program edits it."
    default: return "It is not a text. A program edits it."
    }
  }

  private static func obstacle(
    _ relationship: InspectedRelationship, _ types: [String: any MagicObject.Type]
  ) -> String? {
    if relationship.swiftType?.hasPrefix("AsyncMagical<") == true { return isLazy }
    switch (relationship.source, relationship.form) {
    case (.joinTable, .list), (.joinTable, .set), (.owned, _):
      return targetObstacle(relationship.target, types)
    case (.inverse, _): return isInverse
    default: return "It has keys or join objects. A program edits it."
    }
  }

  private static func targetObstacle(
    _ table: String?, _ types: [String: any MagicObject.Type]
  ) -> String? {
    guard let table, types[table] != nil else {
      return "The program that serves this page does not have the type of these objects."
    }
    return nil
  }
}

// MARK: Values

extension EditField {
  /// Returns the value of a text, as a record of the type contains it.
  ///
  /// - Parameter identifier: the identifier of the object with a row ID in a table.
  /// - Throws: ``FieldProblem`` if the text is not a value of the form, and the errors of the closure.
  func value(
    of content: FieldText, identifier: (Int64, String) throws -> JSONNode
  ) throws -> JSONNode {
    guard let text = content.text else {
      guard isOptional else { throw FieldProblem(message: "A value is needed.") }
      return .null
    }
    guard text.utf8.count <= Self.textLimit else {
      throw FieldProblem(message: "The text is longer than 64 KiB.")
    }
    switch source {
    case .column(let column): return try value(text, column, identifier)
    case .members(let relationship):
      let lines = text.split(whereSeparator: \.isNewline).map(Self.trimmed).filter { !$0.isEmpty }
      guard lines.count <= StoredObject.memberLimit else {
        throw FieldProblem(message: "There are more than \(StoredObject.memberLimit) members.")
      }
      return .array(
        try lines.map { try identifier(try Self.rowID($0), relationship.target) })
    }
  }

  private func value(
    _ text: String, _ column: InspectedColumn, _ identifier: (Int64, String) throws -> JSONNode
  ) throws -> JSONNode {
    let line = Self.trimmed(text)
    switch column.form {
    case .text: return .string(text)
    case .url, .uuid, .uuidBytes: return .string(line)
    case .integer:
      guard let number = Int64(line) else {
        throw FieldProblem(message: "The text is not an integer.")
      }
      return .integer(number)
    case .real: return try Self.real(line)
    case .decimal: return try DescribedValue.decimal(line)
    case .bool:
      guard line == "true" || line == "false" else {
        throw FieldProblem(message: "The text is neither true nor false.")
      }
      return .bool(line == "true")
    case .date:
      guard let seconds = InspectedDate.seconds(line) else {
        throw FieldProblem(message: "The text is not a date. Write 2024-05-01T12:30:00Z, in UTC.")
      }
      return .real(seconds)
    case .enumeration:
      guard
        column.cases.isEmpty || column.cases.contains(where: { $0.text(as: .enumeration) == line })
      else { throw FieldProblem(message: "The text is not a case of the type.") }
      if column.declaredType.uppercased() == "INTEGER", let number = Int64(line) {
        return .integer(number)
      }
      return column.declaredType.isEmpty ? try Self.real(line) : .string(line)
    case .json:
      guard JSONNode.isDocument(Array(text.utf8)) else {
        throw FieldProblem(message: "The text is not JSON.")
      }
      return .document(text)
    case .one:
      guard let target = column.target else { throw FieldProblem(message: "It refers to no type.") }
      return try identifier(try Self.rowID(line), target)
    default: throw FieldProblem(message: "It cannot be edited.")
    }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func rowID(_ text: String) throws -> Int64 {
    guard let number = Int64(text.hasPrefix("#") ? String(text.dropFirst()) : text) else {
      throw FieldProblem(message: "Write the row ID of an object, such as 12.")
    }
    return number
  }

  private static func real(_ text: String) throws -> JSONNode {
    guard let number = Double(text), !number.isNaN else {
      throw FieldProblem(message: "The text is not a number.")
    }
    return .real(number)
  }
}
