import Foundation
@_spi(Tools) import MagicData
import MagicInspection

extension DescribedImport {
  /// Inserts a row.
  ///
  /// - Returns: its row ID.
  func insert(
    _ values: [Value], _ transaction: borrowing MagicTransaction
  ) throws -> Int64 {
    let given = Set(values.map(\.index))
    if given.contains(where: { properties[$0] == type.probablePrimary }) { nextPrimary = nil }
    var rowID: Int64?
    var values = values.map { value -> (index: Int, sql: MagicSQL) in
      switch value.content {
      case .stored(let stored):
        if properties[value.index].isRowID, case .integer(let number) = stored { rowID = number }
        return (value.index, stored.sql)
      case .pending:
        guard !properties[value.index].isOptional else { return (value.index, "NULL") }
        return (value.index, "\(pending.placeholder)")
      }
    }
    for (index, column) in properties.enumerated() where !given.contains(index) {
      if let value = try located(index, { try missingValue(of: column, transaction) }) {
        values.append((index, value))
      }
    }
    var names = values.map { index, _ -> MagicSQL in "\(raw: properties[index].column.quoted)" }
    var list = values.map(\.sql)
    let row = try rowID ?? newRowID(transaction)
    if rowID == nil {
      names.append("z_index")
      list.append("\(row)")
    }
    nextRowID = rowID == nil ? row + 1 : nil
    try transaction.sql(
      """
      INSERT INTO \(raw: type.table.quoted) (\(sql: DescribedRows.joined(names))) \
      VALUES (\(sql: DescribedRows.joined(list)))
      """
    ).run()
    return row
  }

  private func newRowID(_ transaction: borrowing MagicTransaction) throws -> Int64 {
    let next = try nextRowID ?? DescribedRows.nextRowID(of: type, transaction)
    guard let next, next < .max else {
      throw MagicRecordReader.Fault(reason: "there is no row ID for another object")
    }
    return next
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
}
