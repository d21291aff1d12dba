import Foundation
import MagicData
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
          if let number = try Self.nextNumber(of: column, type, snapshot) {
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

  /// The number above all of a unique property, and above the highest one of an auto-incremented
  /// primary that was used; nil if there is none.
  private static func nextNumber(
    of column: InspectedColumn, _ type: InspectedType, _ snapshot: borrowing MagicSnapshot
  ) throws -> Int64? {
    let sql: MagicSQL = "SELECT max(\(raw: column.column.quoted)) FROM \(raw: type.table.quoted)"
    let mark: MagicSQL =
      "SELECT primary_high_water FROM magic_catalogue WHERE table_name = \(type.table)"
    let last = max(
      try snapshot.sql(sql).value(Int64.self) ?? 0, try snapshot.sql(mark).value(Int64.self) ?? 0)
    return last == .max ? nil : last + 1
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
        let sets = Self.joined(
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
    let rowID = try Self.nextRowID(of: type, transaction)
    let columns = values.map { column, _ -> MagicSQL in "\(raw: column.quoted)" }
    let names = Self.joined(["z_index"] + columns)
    let list = Self.joined(["\(rowID)"] + values.map(\.value))
    try transaction.sql(
      "INSERT INTO \(raw: type.table.quoted) (\(sql: names)) VALUES (\(sql: list))"
    ).run()
    return rowID
  }

  private static func joined(_ parts: [MagicSQL]) -> MagicSQL {
    guard let first = parts.first else { return "" }
    return parts.dropFirst().reduce(first) { "\(sql: $0), \(sql: $1)" }
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
          guard try Self.exists(target, table, transaction) else {
            throw FieldProblem(message: "There is no object #\(target).")
          }
          return .integer(target)
        }
        let value = try DescribedValue(column: column, stored: before[field.property] ?? .null)
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

  private static func exists(
    _ rowID: Int64, _ table: String, _ transaction: borrowing MagicTransaction
  ) throws -> Bool {
    try transaction.sql(
      "SELECT count(*) FROM \(raw: table.quoted) WHERE z_index = \(rowID)"
    ).value(Int.self) == 1
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

  /// The row ID of a new object, which none had before: it counts in the range of the database.
  private static func nextRowID(
    of type: InspectedType, _ transaction: borrowing MagicTransaction
  ) throws -> Int64 {
    let number = try transaction.sql("SELECT store_number FROM magic_format").value(Int64.self) ?? 0
    let first = number << 32
    let last = number == 0 ? Int64.max : first | ((1 << 32) - 1)
    let highest = try transaction.sql(
      """
      SELECT max(\(first), high_water, ifnull((SELECT max(z_index) FROM \(raw: type.table.quoted)
        WHERE z_index BETWEEN \(first) AND \(last)), 0))
      FROM magic_catalogue WHERE table_name = \(type.table)
      """
    ).value(Int64.self)
    guard let highest, highest < last else {
      throw EditProblem.object("There is no row ID for another object.")
    }
    return highest + 1
  }
}

extension InspectedColumn {
  /// Whether the property seems to be the version of the object, which each save increases. The file
  /// does not say which property it is.
  var mayBeVersion: Bool {
    form == .integer && !isOptional && !isRowID && swiftType == "Int"
      && property.lowercased() == "version"
  }
}
