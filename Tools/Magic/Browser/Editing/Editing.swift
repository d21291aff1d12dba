import Foundation
import MagicData
import MagicDescribedTypes
import MagicInspection

/// Changes objects for the forms of pages, with the verbs of an open database.
struct Editing: Sendable {
  let magic: MagicData
  /// The Swift types, by their tables.
  let types: [String: any MagicObject.Type]
  /// The secret in the forms of pages, which other sites do not know.
  let token = AccessToken()

  init(_ magic: MagicData, types: [any MagicObject.Type]) {
    self.magic = magic
    self.types = Dictionary(types.map { ($0.tableName, $0) }) { first, _ in first }
  }

  /// Whether the program has the Swift type.
  func knows(_ type: InspectedType) -> Bool { types[type.table] != nil }

  /// Whether objects of a type can be created and edited: with the Swift type, or by the description
  /// in the file. All objects can be deleted.
  func canEdit(_ type: InspectedType) -> Bool { knows(type) || type.isDescribed }

  /// The fields of a form.
  func fields(of type: InspectedType, in database: InspectedDatabase) -> [EditField] {
    guard knows(type) else {
      return type.columns.map { EditField(described: $0, in: database) }
        + type.relationships.filter { $0.form != .one }.map(EditField.init(described:))
    }
    return type.columns.map { EditField($0, in: database, types: types) }
      + type.relationships.filter { $0.form != .one }.map {
        EditField($0, of: type, in: database, types: types)
      }
  }

  /// Returns the stored object; nil if there is no such row.
  func stored(_ rowID: Int64, of type: InspectedType) async throws -> StoredObject? {
    try await magic.read { try StoredObject.read(rowID, of: type, in: $0) }
  }

  /// The texts of a form for a new object: the values that the initializer of the type sets.
  func defaults(
    of type: InspectedType, _ fields: [EditField]
  ) async throws -> [String: FieldText] {
    guard let model = types[type.table] else { return try await describedDefaults(of: type) }
    return try Self.defaults(of: model, fields)
  }

  private static func defaults<Model: MagicObject>(
    of model: Model.Type, _ fields: [EditField]
  ) throws -> [String: FieldText] {
    try RecordText.texts(of: Model().values, fields)
  }

  static let unknownType = InspectionError(
    .notReadOnly,
    "The program that serves this page does not have the Swift type, and the file does not contain "
      + "the forms of its properties, so objects of the type can only be deleted. Start a program with "
      + "the type to create and edit them.")

  /// What a form says about a type that the program does not have.
  static let describedType =
    "The program that serves this page does not have the Swift type. Values are checked as the file "
    + "describes the properties; rules in Swift are not known."
}

// MARK: Saving

extension Editing {
  /// Saves a form.
  ///
  /// - Parameters:
  ///   - rowID: the object; nil to create one.
  ///   - shown: the mark of the object that the form was made of.
  /// - Returns: the row ID.
  /// - Throws: ``EditProblem``.
  func save(
    _ texts: [String: FieldText], _ rowID: Int64?, of type: InspectedType, _ fields: [EditField],
    shown: String
  ) async throws -> Int64 {
    guard let model = types[type.table] else {
      return try await saveDescribed(texts, rowID, of: type, fields, shown: shown)
    }
    return try await save(model, texts, rowID, type, fields, shown)
  }

  private func save<Model: MagicObject>(
    _ model: Model.Type, _ texts: [String: FieldText], _ rowID: Int64?, _ type: InspectedType,
    _ fields: [EditField], _ shown: String
  ) async throws -> Int64 {
    try await Self.explaining(fields) {
      try await magic.transaction { transaction in
        guard let rowID else {
          let object = Model()
          let before = try RecordText.texts(of: object.values, fields)
          try apply(texts, before, fields, to: object, transaction)
          return try transaction.insert(object).rawValue
        }
        let stored = try Self.unchanged(rowID, type, shown, transaction)
        let found = try transaction.sql(
          "SELECT z_index FROM \(table: Model.self) WHERE z_index = \(rowID)"
        ).objects(of: Model.self)
        guard let object = found.first else { throw EditProblem.deleted }
        try apply(texts, stored.texts(of: fields, type), fields, to: object, transaction)
        return try transaction.update(object).rawValue
      }
    }
  }

  /// Sets the properties whose texts differ. The others keep values of which a text shows only a part,
  /// such as the fractions of a second below a millisecond.
  private func apply<Model: MagicObject>(
    _ texts: [String: FieldText], _ before: [String: FieldText], _ fields: [EditField],
    to object: Model, _ transaction: borrowing MagicTransaction
  ) throws {
    var members: [JSONNode.Member] = []
    var problems: [String: String] = [:]
    for field in fields where field.isEditable {
      // A property without a value stays so, such as a primary that the database assigns. Saving
      // reports those that need one.
      guard let text = texts[field.property], text != before[field.property] ?? .null else {
        continue
      }
      do {
        let value = try field.value(of: text) { rowID, table in
          try identifier(of: rowID, table, transaction)
        }
        // Alone, because an error does not always name the property.
        _ = try Self.record(of: [JSONNode.Member(field.property, value)], Model.self)
        members.append(JSONNode.Member(field.property, value))
      } catch let problem as FieldProblem {
        problems[field.property] = problem.message
      } catch is DecodingError {
        problems[field.property] =
          "The text is not a value of the type \(InspectedText.line(field.typeText))."
      }
    }
    guard problems.isEmpty else { throw EditProblem.fields(problems) }
    try transaction.apply(try Self.record(of: members, Model.self), to: object)
  }

  private static func record<Model: MagicObject>(
    of members: [JSONNode.Member], _ model: Model.Type
  ) throws -> MagicRecord<Model> {
    let json = JSONNode.object(members).text()
    return try RecordText.decoder.decode(MagicRecord<Model>.self, from: Data(json.utf8))
  }

  /// The identifier of an object, as records contain it.
  private func identifier(
    of rowID: Int64, _ table: String, _ transaction: borrowing MagicTransaction
  ) throws -> JSONNode {
    guard let model = types[table] else { throw FieldProblem(message: "Its type is not known.") }
    return try Self.identifier(of: rowID, model, transaction)
  }

  private static func identifier<Model: MagicObject>(
    of rowID: Int64, _ model: Model.Type, _ transaction: borrowing MagicTransaction
  ) throws -> JSONNode {
    let found = try transaction.sql(
      "SELECT z_index FROM \(table: Model.self) WHERE z_index = \(rowID)"
    ).objects(of: Model.self)
    guard let object = found.first else {
      throw FieldProblem(message: "There is no object #\(rowID).")
    }
    let data = try JSONEncoder().encode(object.magicID)
    return .document(String(decoding: data, as: UTF8.self))
  }

  static func unchanged(
    _ rowID: Int64, _ type: InspectedType, _ shown: String,
    _ transaction: borrowing MagicTransaction
  ) throws -> StoredObject {
    let stored = try transaction.read { try StoredObject.read(rowID, of: type, in: $0) }
    guard let stored else { throw EditProblem.deleted }
    guard stored.mark == shown else { throw EditProblem.changed }
    return stored
  }

  // MARK: Deleting

  /// Deletes an object.
  ///
  /// - Parameter shown: the mark of the object that was shown.
  /// - Throws: ``EditProblem``.
  func delete(_ rowID: Int64, of type: InspectedType, shown: String) async throws {
    guard let model = types[type.table] else {
      // Delete rules and the tables of assets are in the file, and the library follows them for types
      // that a program does not have.
      return try await Self.explaining([]) {
        try await magic.transaction { transaction in
          _ = try Self.unchanged(rowID, type, shown, transaction)
          let table = type.table.quoted
          try transaction.sql("DELETE FROM \(raw: table) WHERE z_index = \(rowID)").run()
        }
      }
    }
    try await delete(model, rowID, type, shown)
  }

  private func delete<Model: MagicObject>(
    _ model: Model.Type, _ rowID: Int64, _ type: InspectedType, _ shown: String
  ) async throws {
    try await Self.explaining([]) {
      try await magic.transaction { transaction in
        _ = try Self.unchanged(rowID, type, shown, transaction)
        let found = try transaction.sql(
          "SELECT z_index FROM \(table: Model.self) WHERE z_index = \(rowID)"
        ).objects(of: Model.self)
        guard let object = found.first else { throw EditProblem.deleted }
        try transaction.remove(object)
      }
    }
  }

  /// Runs a body, and describes errors of the database for the form.
  static func explaining<Result>(
    _ fields: [EditField], _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as MagicError {
      throw EditProblem(error, fields)
    }
  }
}
