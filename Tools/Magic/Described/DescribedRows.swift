package import MagicData
package import MagicInspection

/// Statements on the rows of types of which only the description in the file is known.
package enum DescribedRows {
  /// The number above all of a unique property, and above the highest one of an auto-incremented
  /// primary that was used; nil if there is none.
  ///
  /// - Parameter read: returns the integer that a statement selects.
  package static func nextNumber(
    of column: InspectedColumn, _ type: InspectedType, _ read: (MagicSQL) throws -> Int64?
  ) throws -> Int64? {
    let sql: MagicSQL = "SELECT max(\(raw: column.column.quoted)) FROM \(raw: type.table.quoted)"
    let mark: MagicSQL =
      "SELECT primary_high_water FROM magic_catalogue WHERE table_name = \(type.table)"
    let last = max(try read(sql) ?? 0, try read(mark) ?? 0)
    return last == .max ? nil : last + 1
  }

  /// The row ID of a new object, which none had before: it counts in the range of the database. Nil if
  /// there is none.
  package static func nextRowID(
    of type: InspectedType, _ transaction: borrowing MagicTransaction
  ) throws -> Int64? {
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
    guard let highest, highest < last else { return nil }
    return highest + 1
  }

  package static func exists(
    _ rowID: Int64, _ table: String, _ transaction: borrowing MagicTransaction
  ) throws -> Bool {
    try transaction.sql(
      "SELECT count(*) FROM \(raw: table.quoted) WHERE z_index = \(rowID)"
    ).value(Int.self) == 1
  }

  package static func joined(_ parts: [MagicSQL]) -> MagicSQL {
    guard let first = parts.first else { return "" }
    return parts.dropFirst().reduce(first) { "\(sql: $0), \(sql: $1)" }
  }
}

extension InspectedColumn {
  /// Whether the property seems to be the version of the object, which each save increases. The file
  /// does not say which property it is.
  package var mayBeVersion: Bool {
    form == .integer && !isOptional && !isRowID && swiftType == "Int"
      && property.lowercased() == "version"
  }

  /// The type of a property for a reader: that of Swift, or its form; "?" marks a guess.
  package var typeText: String {
    let name = swiftType.map { InspectedText.line($0) } ?? InspectedText.line(form.name)
    return isGuess ? name + "?" : name
  }
}
