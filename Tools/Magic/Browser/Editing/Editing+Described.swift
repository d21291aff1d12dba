import Foundation
import MagicData
import MagicDescribedTypes
import MagicInspection

/// Saves objects of types of which only the description in the file is known, with statements on their
/// rows. Indexes, delete rules, search indexes and observers follow statements as they do the verbs.
extension Editing {
  /// The texts of a form for a new object: values that are no other object's.
  func describedDefaults(of type: InspectedType) async throws -> [String: FieldText] {
    try await magic.read { snapshot in
      var texts: [String: FieldText] = [:]
      for column in type.columns where !column.isRowID {
        let isUnique = type.isUnique(column)
        switch column.form {
        case _ where column.isOptional: break
        case .text where !isUnique: texts[column.property] = .text("")
        case .integer where isUnique:
          let number = try DescribedRows.nextNumber(of: column, type) {
            try snapshot.sql($0).value(Int64.self)
          }
          if let number {
            texts[column.property] = .text(String(number))
          }
        case .integer where column.mayBeVersion: texts[column.property] = .text("1")
        case .uuid, .uuidBytes: texts[column.property] = .text(UUID().uuidString)
        case .bool: texts[column.property] = .text("false")
        case .enumeration:
          texts[column.property] = FieldText(column.cases.first?.text(as: .enumeration))
        default: break
        }
      }
      return texts
    }
  }

  /// Saves a form, as `save(_:_:of:_:shown:)` does.
  func saveDescribed(
    _ texts: [String: FieldText], _ rowID: Int64?, of type: InspectedType, _ fields: [EditField],
    shown: String
  ) async throws -> Int64 {
    try await Self.explaining(fields) {
      try await magic.transaction { transaction in
        guard let rowID else { return try insert(texts, type, fields, transaction) }
        let stored = try Self.unchanged(rowID, type, shown, transaction)
        let before = stored.texts(of: fields, type)
        let changed = fields.filter { field in
          texts[field.property].map { $0 != before[field.property] ?? .null } ?? false
        }
        var values = try describedValues(texts, before, rowID, type, changed, transaction)
        guard !values.isEmpty else { return rowID }
        for column in type.columns where column.mayBeVersion && values[column.column] == nil {
          values[column.column] = "\(raw: column.column.quoted) + 1"
        }
        let sets = DescribedRows.joined(
          values.map { column, value -> MagicSQL in "\(raw: column.quoted) = \(sql: value)" })
        try transaction.sql(
          "UPDATE \(raw: type.table.quoted) SET \(sql: sets) WHERE z_index = \(rowID)"
        ).run()
        return rowID
      }
    }
  }

  private func insert(
    _ texts: [String: FieldText], _ type: InspectedType, _ fields: [EditField],
    _ transaction: borrowing MagicTransaction
  ) throws -> Int64 {
    for field in fields {
      guard !field.isEditable, !field.isOptional, case .column(let column) = field.source,
        !column.isRowID
      else { continue }
      throw EditProblem.fields([
        field.property: "It needs a value, so only a program creates objects of this type."
      ])
    }
    let values = try describedValues(texts, [:], nil, type, fields, transaction)
    guard let rowID = try DescribedRows.nextRowID(of: type, transaction) else {
      throw EditProblem.object("There is no row ID for another object.")
    }
    let columns = values.map { column, _ -> MagicSQL in "\(raw: column.quoted)" }
    let names = DescribedRows.joined(["z_index"] + columns)
    let list = DescribedRows.joined(["\(rowID)"] + values.map(\.value))
    try transaction.sql(
      "INSERT INTO \(raw: type.table.quoted) (\(sql: names)) VALUES (\(sql: list))"
    ).run()
    return rowID
  }

  /// The values of fields, as parts of a statement, by their columns.
  private func describedValues(
    _ texts: [String: FieldText], _ before: [String: FieldText], _ rowID: Int64?,
    _ type: InspectedType, _ fields: [EditField], _ transaction: borrowing MagicTransaction
  ) throws -> [String: MagicSQL] {
    var values: [String: MagicSQL] = [:]
    var problems: [String: String] = [:]
    for field in fields where field.isEditable {
      guard case .column(let column) = field.source else { continue }
      do {
        let node = try field.value(of: texts[field.property] ?? .null) { target, table in
          guard try DescribedRows.exists(target, table, transaction) else {
            throw FieldProblem(message: "There is no object #\(target).")
          }
          return .integer(target)
        }
        let value = try DescribedValue(column: column, stored: before[field.property]?.text)
          .storedValue(node)
        try Self.checkUnique(value, column, rowID, type, transaction)
        values[column.column] = value.sql
      } catch let problem as FieldProblem {
        problems[field.property] = problem.message
      }
    }
    guard problems.isEmpty else { throw EditProblem.fields(problems) }
    return values
  }

  /// Names the object that has a value already, which the error of the index does not.
  private static func checkUnique(
    _ value: MagicSQLValue, _ column: InspectedColumn, _ rowID: Int64?, _ type: InspectedType,
    _ transaction: borrowing MagicTransaction
  ) throws {
    guard type.isUnique(column) else { return }
    let other = try transaction.sql(
      """
      SELECT z_index FROM \(raw: type.table.quoted)
      WHERE \(raw: column.column.quoted) = \(sql: value.sql) AND z_index IS NOT \(rowID) LIMIT 1
      """
    ).rows(Int64.self).first
    if let other { throw FieldProblem(message: "The object #\(other) has this value.") }
  }
}
