import Foundation
@_spi(Tools) package import MagicData
package import MagicInspection

/// Saves the records of a file as rows of a type of which only the description in the file is known. Used
/// by one call at a time.
package final class DescribedImport: @unchecked Sendable {
  private let type: InspectedType
  private let database: InspectedDatabase
  private let properties: [InspectedColumn]
  private let records: MagicRecordReader
  /// The row ID of the next inserted row, and its primary if that is counted.
  private var nextRowID: Int64?
  private var nextPrimary: Int64?

  /// Opens a file.
  ///
  /// - Throws: `MagicError`: `.cannotOpen`, `.inputOutput`, `.invalidOption`.
  package init(
    _ file: MagicImportFile, into type: InspectedType, of database: InspectedDatabase
  ) throws {
    (self.type, self.database, properties) = (type, database, type.columns)
    records = try MagicRecordReader(
      file, typeName: type.name,
      properties: type.columns.map { column in
        MagicRecordReader.Property(
          name: column.property, kind: Self.kind(of: column, database),
          isOptional: column.isOptional, typeName: InspectedText.line(column.typeText),
          referenceKey: column.target.flatMap(database.type(ofTable:))?.probablePrimary?.property)
      })
  }

  package func close() { records.close() }

  package var progress: MagicImportProgress { records.progress }
  package var summary: MagicImportSummary { records.summary }

  /// The columns of the file, or the keys of the records that were read.
  package var columns: [String] { records.columns }

  /// Saves records.
  ///
  /// - Parameters:
  ///   - limit: the largest number of records.
  ///   - isCommitted: whether the transaction ends after them.
  /// - Returns: whether there may be more records.
  package func save(
    atMost limit: Int, isCommitted: Bool, in transaction: borrowing MagicTransaction
  ) throws -> Bool {
    // Another program may have inserted rows since the last transaction.
    (nextRowID, nextPrimary) = (nil, nil)
    return try records.save(atMost: limit, isCommitted: isCommitted) {
      try save($0, transaction)
    }
  }

  /// Saves the records that can be saved, for a transaction that is rolled back.
  package func plan(in transaction: borrowing MagicTransaction) throws -> MagicImportPlan {
    try records.plan { try save($0, transaction) }
  }

  // MARK: Records

  private func save(
    _ record: MagicRecordReader.Record, _ transaction: borrowing MagicTransaction
  ) throws {
    var values: [Value] = []
    var stored: Int64?
    for (index, value) in record.values {
      let column = properties[index]
      let value = try located(index) { try self.value(value, column, transaction) }
      if column == type.probablePrimary, value != .null {
        stored = try rowID(column, value, in: type, transaction)
      }
      values.append(Value(index: index, value: value))
    }
    do {
      if let stored {
        try update(stored, values, transaction)
      } else {
        try insert(values, transaction)
      }
    } catch let error as MagicError where Self.recordCodes.contains(error.code) {
      let reason = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
      throw MagicRecordReader.Fault(
        error.code, property: properties.firstIndex { $0.property == error.property },
        reason: reason)
    }
  }

  /// A value of a record, with the index of its property.
  private struct Value {
    let index: Int
    let value: MagicSQLValue
  }

  /// The codes of errors that other values of the record would not have. All other errors, for example of
  /// the disk, concern the database.
  private static let recordCodes: Set<MagicError.Code> = [
    .notUnique, .missingValue, .missingPrimary, .brokenReference, .stillReferenced, .constraint,
    .cannotEncode, .tooBig, .conflict,
  ]

  private func update(
    _ rowID: Int64, _ values: [Value], _ transaction: borrowing MagicTransaction
  ) throws {
    var sets: [MagicSQL] = []
    for value in values {
      let column = properties[value.index]
      if column.mayBeVersion {
        try checkVersion(value, of: rowID, transaction)
      } else if !column.isRowID {
        sets.append("\(raw: column.column.quoted) = \(sql: value.value.sql)")
      }
    }
    guard !sets.isEmpty else { return }
    for column in properties where column.mayBeVersion {
      sets.append("\(raw: column.column.quoted) = \(raw: column.column.quoted) + 1")
    }
    try transaction.sql(
      """
      UPDATE \(raw: type.table.quoted) SET \(sql: DescribedRows.joined(sets)) \
      WHERE z_index = \(rowID)
      """
    ).run()
  }

  /// Checks that an object has the version that a record contains.
  private func checkVersion(
    _ given: Value, of rowID: Int64, _ transaction: borrowing MagicTransaction
  ) throws {
    let stored = try transaction.sql(
      """
      SELECT \(raw: properties[given.index].column.quoted) FROM \(raw: type.table.quoted) \
      WHERE z_index = \(rowID)
      """
    ).value(Int64.self)
    guard let stored, given.value != .integer(stored) else { return }
    throw MagicRecordReader.Fault(
      .conflict, property: given.index,
      reason:
        "the version in the database is \(stored); leave the version out to overwrite the object")
  }

  private func insert(
    _ values: [Value], _ transaction: borrowing MagicTransaction
  ) throws {
    let given = Set(values.map(\.index))
    if given.contains(where: { properties[$0] == type.probablePrimary }) { nextPrimary = nil }
    var values = values.map { (index: $0.index, sql: $0.value.sql) }
    for (index, column) in properties.enumerated() where !given.contains(index) {
      if let value = try located(index, { try missingValue(of: column, transaction) }) {
        values.append((index, value))
      }
    }
    var names = values.map { index, _ -> MagicSQL in "\(raw: properties[index].column.quoted)" }
    var list = values.map(\.sql)
    if !values.contains(where: { properties[$0.index].isRowID }) {
      let next = try nextRowID ?? DescribedRows.nextRowID(of: type, transaction)
      guard let next, next < .max else {
        throw MagicRecordReader.Fault(reason: "there is no row ID for another object")
      }
      names.append("z_index")
      list.append("\(next)")
      nextRowID = next + 1
    } else {
      nextRowID = nil
    }
    try transaction.sql(
      """
      INSERT INTO \(raw: type.table.quoted) (\(sql: DescribedRows.joined(names))) \
      VALUES (\(sql: DescribedRows.joined(list)))
      """
    ).run()
  }

  /// Returns the value of a property that a new object does not have in the file; nil for NULL and for
  /// a row ID.
  private func missingValue(
    of column: InspectedColumn, _ transaction: borrowing MagicTransaction
  ) throws -> MagicSQL? {
    if column.isOptional || column.isRowID { return nil }
    let isPrimary = column == type.probablePrimary
    switch column.form {
    case .integer where isPrimary:
      let next =
        try nextPrimary
        ?? DescribedRows.nextNumber(of: column, type) {
          try transaction.sql($0).value(Int64.self)
        }
      guard let next, next < .max else { break }
      nextPrimary = next + 1
      return "\(next)"
    case .integer where column.mayBeVersion: return "1"
    case .text where isPrimary && column.swiftType == "String", .uuid where isPrimary:
      return "\(UUID().uuidString)"
    case .uuidBytes where isPrimary:
      return MagicSQLValue.blob(withUnsafeBytes(of: UUID().uuid) { Data($0) }).sql
    default: break
    }
    throw FieldProblem(
      message:
        "A new object needs a value, because the database does not contain the default of the type."
    )
  }

  private func located<Result>(_ property: Int, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let problem as FieldProblem {
      throw MagicRecordReader.Fault(property: property, reason: problem.reason)
    }
  }

  // MARK: Values

  private func value(
    _ value: MagicRecordReader.Value, _ column: InspectedColumn,
    _ transaction: borrowing MagicTransaction
  ) throws -> MagicSQLValue {
    if value == .null {
      guard column.isOptional else { throw FieldProblem(message: "A value is needed.") }
      return .null
    }
    guard column.form == .one else { return try Self.stored(value, column) }
    guard let target = column.target.flatMap(database.type(ofTable:)) else {
      throw FieldProblem(message: "It refers to no type.")
    }
    let found: Int64?
    if let primary = target.probablePrimary {
      found = try rowID(primary, try Self.stored(value, primary), in: target, transaction)
    } else if case .integer(let rowID) = value {
      found = try DescribedRows.exists(rowID, target.table, transaction) ? rowID : nil
    } else {
      found = nil
    }
    guard let found else {
      throw FieldProblem(
        message:
          "There is no object of the type \(InspectedText.line(target.name)) with this value."
      )
    }
    return .integer(found)
  }

  private static func stored(
    _ value: MagicRecordReader.Value, _ column: InspectedColumn
  ) throws -> MagicSQLValue {
    switch value {
    case .null: return .null
    case .bytes(let bytes): return .blob(Data(bytes))
    case .uuid(let bytes):
      let data = Data(bytes)
      guard column.form == .uuid else { return .blob(data) }
      let uuid = data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
      return .text(UUID(uuid: uuid).uuidString)
    case .json(let document):
      return try DescribedValue(column: column).storedValue(
        .document(String(decoding: document, as: UTF8.self)))
    case .boolean(let boolean): return .integer(boolean ? 1 : 0)
    case .integer(let number): return try checked(.integer(number), column)
    case .real(let number): return try checked(.real(number), column)
    case .text(let text):
      guard column.form != .decimal else {
        return try DescribedValue(column: column).storedValue(try DescribedValue.decimal(text))
      }
      return try checked(.string(text), column)
    }
  }

  private static func checked(
    _ node: JSONNode, _ column: InspectedColumn
  ) throws -> MagicSQLValue {
    let value = try DescribedValue(column: column).storedValue(node)
    guard column.form == .enumeration else { return value }
    let isCase = column.cases.contains { known in
      switch (known.stored, value) {
      case (.integer(let left), .integer(let right)): left == right
      case (.real(let left), .real(let right)): left == right
      case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
      default: false
      }
    }
    guard isCase else { throw FieldProblem(message: "The value is not a case of the type.") }
    return value
  }

  /// Returns the row with a value of a unique property; nil if there is none.
  private func rowID(
    _ column: InspectedColumn, _ value: MagicSQLValue, in type: InspectedType,
    _ transaction: borrowing MagicTransaction
  ) throws -> Int64? {
    try transaction.sql(
      """
      SELECT z_index FROM \(raw: type.table.quoted) \
      WHERE \(raw: column.column.quoted) = \(sql: value.sql)
      """
    ).value(Int64.self)
  }

  private static func kind(
    of column: InspectedColumn, _ database: InspectedDatabase
  ) -> MagicRecordReader.Kind {
    guard !column.isGuess else { return .unsupported }
    switch column.form {
    case .text where !DescribedValue.hasKnownValues(column),
      .integer where !DescribedValue.hasKnownValues(column) && !column.isRowID,
      .real where !DescribedValue.hasKnownValues(column):
      return .unsupported
    case .enumeration:
      guard !column.cases.isEmpty else { return .unsupported }
      return switch column.declaredType.uppercased() {
      case "INTEGER": .integer
      case "": .real
      default: .text
      }
    case .text, .url, .decimal: return .text
    case .integer: return .integer
    case .real: return .real
    case .bool: return .boolean
    case .date: return .date
    case .uuid, .uuidBytes: return .uuid
    case .data: return ["Data", "Array<UInt8>"].contains(column.swiftType) ? .bytes : .unsupported
    case .json: return .json
    case .one:
      guard let target = column.target.flatMap(database.type(ofTable:)) else { return .unsupported }
      return .reference(target.probablePrimary.map { kind(of: $0, database) } ?? .integer)
    default: return .unsupported
    }
  }
}
