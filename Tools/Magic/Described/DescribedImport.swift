import Foundation
@_spi(Tools) package import MagicData
package import MagicInspection

/// Saves the records of a file as rows of a type of which only the description in the file is known. Used
/// by one call at a time.
package final class DescribedImport: @unchecked Sendable {
  let type: InspectedType
  let database: InspectedDatabase
  let properties: [InspectedColumn]
  private let records: MagicRecordReader
  /// The row ID of the next inserted row, and its primary if that is counted.
  var nextRowID: Int64?
  var nextPrimary: Int64?
  /// The references that the current transaction still has to set.
  var pending = PendingReferences()

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

  /// The columns of the file, or the keys of the records that were read; nil if there are too many keys.
  package var columns: [String]? { records.columns }

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
    return try records.save(
      atMost: limit, isCommitted: isCommitted, { try save($0, transaction) },
      end: { isLast in
        guard isLast || isCommitted else { return }
        try setReferences(transaction) { throw $0 }
      })
  }

  /// Saves the records that can be saved, for a transaction that is rolled back.
  package func plan(in transaction: borrowing MagicTransaction) throws -> MagicImportPlan {
    try records.plan({ try save($0, transaction) }, end: { try setReferences(transaction, $0) })
  }

  // MARK: Records

  private func save(
    _ record: MagicRecordReader.Record, _ transaction: borrowing MagicTransaction
  ) throws {
    var values: [Value] = []
    var stored: Int64?
    for (index, value) in record.values {
      let column = properties[index]
      let value = try located(index) { try content(value, column, transaction) }
      if column == type.probablePrimary, case .stored(let primary) = value, primary != .null {
        stored = try rowID(column, primary, in: type, transaction)
      }
      values.append(Value(index: index, content: value))
    }
    do {
      let row: Int64
      if let stored {
        row = stored
        try update(stored, values, transaction)
      } else {
        row = try insert(values, transaction)
      }
      for value in values where properties[value.index].form == .one {
        pending.set(
          .init(row: row, property: value.index), to: value.content.pendingKey, from: record.place)
      }
    } catch let error as MagicError where Self.recordCodes.contains(error.code) {
      throw fault(error, at: record.place)
    }
  }

  /// Returns the error of a record whose values the database refuses.
  ///
  /// - Parameter property: the index of the property; nil if the error may name it.
  func fault(
    _ error: MagicError, at place: MagicRecordReader.Place, property: Int? = nil
  ) -> MagicRecordReader.Fault {
    MagicRecordReader.Fault(
      error.code, property: property ?? properties.firstIndex { $0.property == error.property },
      reason: error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message,
      place: place)
  }

  /// A value of a record, with the index of its property.
  struct Value {
    let index: Int
    let content: Content
  }

  enum Content {
    case stored(MagicSQLValue)
    /// A reference to an object that no record before has saved.
    case pending(key: MagicSQLValue)

    var pendingKey: MagicSQLValue? {
      if case .pending(let key) = self { return key }
      return nil
    }
  }

  /// The codes of errors that other values of the record would not have. All other errors, for example of
  /// the disk, concern the database.
  static let recordCodes: Set<MagicError.Code> = [
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
        switch value.content {
        case .stored(let value):
          sets.append("\(raw: column.column.quoted) = \(sql: value.sql)")
        case .pending:
          sets.append("\(raw: column.column.quoted) = \(raw: column.column.quoted)")
        }
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
    guard let stored, case .stored(let version) = given.content, version != .integer(stored) else {
      return
    }
    throw MagicRecordReader.Fault(
      .conflict, property: given.index,
      reason:
        "the version in the database is \(stored); leave the version out to overwrite the object")
  }

  func located<Result>(_ property: Int, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let problem as FieldProblem {
      throw MagicRecordReader.Fault(property: property, reason: problem.reason)
    }
  }
}
