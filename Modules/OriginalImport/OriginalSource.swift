package import DatabaseTransfer
import Foundation
package import MagicFiles
import MagicSQLite
package import MagicSchema
import SQLiteTables

/// A database of the original MagicData, as the source of a copy.
package final class OriginalSource: TransferSource {
  let file: OriginalFile
  let types: [OriginalType]
  /// The tables and columns that no type has.
  let losses: [String]
  private let described: [TransferredTable]
  private let allowsLoss: Bool
  private let assetNames = ImportedAssetNames()
  private let assetFiles: OriginalAssets

  /// - Parameters:
  ///   - path: the path of the file.
  ///   - types: the types that get the objects.
  ///   - allowsLoss: whether tables and columns may be left out that no type has, and the missing files of
  ///     assets.
  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase`, `.corrupt`, `.busy`; `.invalidSchema` for
  ///   types that the file cannot become, and if it has more than the types.
  package init(path: String, types: [any MagicObject.Type], allowsLoss: Bool) throws {
    let file = try OriginalFile(path: path)
    do {
      let (found, losses) = try OriginalType.matching(
        types.map { try ObjectSchema.of($0) }, in: file)
      guard allowsLoss || losses.isEmpty else {
        let names = losses.joined(separator: ", ")
        throw MagicError(
          .invalidSchema,
          "No type has these tables and columns of the file: \(names). Add types and properties for "
            + "them, or allow their loss.")
      }
      described = try found.map { type in
        guard let table = type.table else {
          return try TransferredTable(type, lastRowID: 0, lastPrimary: 0)
        }
        let (number, primary) = try file.highest(table)
        let rowID = try Self.locating(number, type, nil) { try Self.rowID(number) }
        return try TransferredTable(type, lastRowID: rowID, lastPrimary: primary)
      }
      (self.types, self.losses) = (found, losses)
    } catch {
      file.database.close()
      throw error
    }
    (self.file, self.allowsLoss) = (file, allowsLoss)
    assetFiles = OriginalAssets(besides: file.database.path)
  }

  package func close() { file.database.close() }

  package func tables() throws -> [TransferredTable] { described }

  /// Returns the row ID of an object. The original library numbers objects from 0 on; -1 means that there is none.
  private static func rowID(_ number: Int64) throws -> Int64 {
    guard (-1..<Int64.max).contains(number) else {
      throw ValueFault(reason: "the number of an object is outside the range")
    }
    return number + 1
  }

  private func type(named table: String) throws -> OriginalType {
    guard let type = types.first(where: { $0.schema.tableName == table }) else {
      throw MagicError(.invalidSchema, "The type is not imported.", type: table)
    }
    return type
  }

  /// The expression of a column: of a to-one, the number of an object that exists, or NULL.
  private func expression(_ column: ColumnSchema, _ name: String) throws -> String {
    let value = "s.\(name.quoted)"
    guard let toOne = column as? ToOneColumn else { return value }
    guard let target = try type(named: toOne.target.tableName).table else { return "NULL" }
    return "(SELECT t.\"z_index\" FROM \(target.quoted) AS t WHERE t.\"z_index\" = \(value))"
  }

  package func count(_ rows: TransferredRows) throws -> Int {
    let type = try type(named: rows.table.name)
    guard let table = type.table else { return 0 }
    switch rows.content {
    case .objects:
      return try translatingErrors {
        Int(try file.connection.integer("SELECT count(*) FROM \(table.quoted)") ?? 0)
      }
    case .members(let collection):
      // Only the progress depends on it: the members are not counted, but their owners.
      guard let name = type.collection(named: collection.property)?.name else { return 0 }
      return try translatingErrors {
        Int(
          try file.connection.integer(
            "SELECT count(\(name.quoted)) FROM \(table.quoted)") ?? 0)
      }
    }
  }

  package func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws {
    let type = try type(named: rows.table.name)
    switch rows.content {
    case .objects: try forEachObject(type, body)
    case .members(let collection): try forEachMember(type, collection, body)
    }
    try file.database.checkNotInUse()
  }

  // MARK: Objects

  private func forEachObject(
    _ type: OriginalType, _ body: ([TransferredValue]) throws -> Void
  ) throws {
    guard let table = type.table else { return }
    let columns = try type.columns.map { try expression($0.schema, $0.name) }
    let statement = try translatingErrors {
      try file.connection.prepare(
        "SELECT \((["s.\"z_index\""] + columns).joined(separator: ", ")) "
          + "FROM \(table.quoted) AS s ORDER BY s.\"z_index\"")
    }
    while try translatingErrors({ try statement.step() }) {
      try Task.checkCancellation()
      let number = try self.number(statement.column(0), type)
      let rowID = try Self.locating(number, type, nil) { try Self.rowID(number) }
      var values: [TransferredValue] = [.integer(rowID)]
      values.reserveCapacity(columns.count + 1)
      for (index, column) in type.columns.enumerated() {
        values.append(
          try Self.locating(number, type, column.schema) {
            try value(statement.column(index + 1), column.schema, column.form, rowID)
          })
      }
      try body(values)
    }
  }

  private func value(
    _ column: SQLiteColumn, _ schema: ColumnSchema, _ form: OriginalForm, _ rowID: Int64
  ) throws -> TransferredValue {
    guard let value = ForeignValue(column) else {
      return try missing(
        schema, schema.codec == .link ? "its object does not exist" : "it is missing")
    }
    if schema.codec == .link { return .integer(try Self.rowID(column.integer)) }
    guard schema.isFile else {
      return try form.value(of: value)
        ?? missing(schema, "it is empty, because the original library could not encode it")
    }
    guard let size = try size(of: value, schema) else { return .null }
    let name = try assetNames.name(try assetColumn(schema), rowID, size: size)
    return .text(Array(name.text.utf8))
  }

  /// NULL, for an optional property.
  private func missing(_ schema: ColumnSchema, _ reason: String) throws -> TransferredValue {
    guard schema.isNullable else {
      throw ValueFault(reason: "\(reason), and the property is not optional")
    }
    return .null
  }

  /// Returns the number of an object, the value of the column `z_index`.
  private func number(_ column: SQLiteColumn, _ type: OriginalType) throws -> Int64 {
    guard column.type == .integer, (0..<Int64.max).contains(column.integer) else {
      throw MagicError(
        .cannotDecode, "An object cannot be imported: its z_index is not the number of an object.",
        type: type.schema.typeName)
    }
    return column.integer
  }

  /// Adds the type, the property and the object to an error of a value.
  private static func locating<Result>(
    _ number: Int64, _ type: OriginalType, _ property: PropertySchema?, _ body: () throws -> Result
  ) throws -> Result {
    try ValueFault.located(
      "of the object with the z_index \(number)", type: type.schema.typeName,
      property: property?.property, body)
  }

  // MARK: Members

  private func forEachMember(
    _ type: OriginalType, _ collection: TransferredCollection,
    _ body: ([TransferredValue]) throws -> Void
  ) throws {
    // Without a table of the target, no member exists.
    guard let table = type.table, let (schema, name) = type.collection(named: collection.property),
      let target = try self.type(named: collection.target).table
    else { return }
    let statement = try translatingErrors {
      try file.connection.prepare(
        "SELECT \"z_index\", \(name.quoted) FROM \(table.quoted) "
          + "WHERE \(name.quoted) IS NOT NULL ORDER BY \"z_index\"")
    }
    let hasObject = try translatingErrors {
      try file.connection.prepare("SELECT 1 FROM \(target.quoted) WHERE \"z_index\" = ?")
    }
    while try translatingErrors({ try statement.step() }) {
      try Task.checkCancellation()
      let number = try self.number(statement.column(0), type)
      try Self.locating(number, type, schema) {
        let members = try self.members(statement.column(1), collection)
        let owner = TransferredValue.integer(try Self.rowID(number))
        var seen: Set<Int64> = []
        var position: Int64 = 0
        for (key, member) in members {
          // The original library leaves out members that were deleted, and duplicates of a set.
          guard try exists(member, hasObject) else { continue }
          if collection.kind == .set, !seen.insert(member).inserted { continue }
          position += ListPositions.spacing
          let place = key ?? (collection.kind == .list ? .integer(position) : nil)
          try body([owner] + (place.map { [$0] } ?? []) + [.integer(try Self.rowID(member))])
        }
      }
    }
  }

  private func members(
    _ column: SQLiteColumn, _ collection: TransferredCollection
  ) throws -> [(key: TransferredValue?, number: Int64)] {
    guard column.type == .blob || column.type == .text else {
      throw ValueFault(reason: "it is not the JSON of the numbers of objects")
    }
    let json = Data(column.type == .blob ? column.blobBytes : column.textBytes)
    guard collection.kind == .dictionary else { return try MemberNumbers(list: json).members }
    return try MemberNumbers(dictionary: json, hasIntegers: collection.keys == .integer).members
  }

  private func exists(_ number: Int64, _ statement: SQLiteStatement) throws -> Bool {
    try translatingErrors {
      defer { statement.reset() }
      try statement.bind(number, at: 1)
      return try statement.step()
    }
  }

  // MARK: Assets

  /// The columns with paths of assets. Their places are the numbers in the names of the assets.
  private(set) lazy var assetColumns: [AssetColumn] = types.flatMap { type -> [AssetColumn] in
    guard let table = type.table else { return [] }
    return type.columns.filter { $0.schema.isFile }.map { (type, table, $0.schema, $0.name) }
  }

  typealias AssetColumn = (
    type: OriginalType, table: String, schema: ColumnSchema, name: String
  )

  private func assetColumn(_ schema: ColumnSchema) throws -> Int {
    guard let index = assetColumns.firstIndex(where: { $0.schema === schema }) else {
      throw ValueFault(reason: "its column is not described")
    }
    return index
  }

  /// Returns the size of an asset; nil if its file is missing and may be left out.
  private func size(of value: ForeignValue, _ schema: ColumnSchema) throws -> Int? {
    do {
      return try assetFiles.size(of: value)
    } catch let error as MagicError where error.code == .assetMissing {
      guard allowsLoss, schema.isNullable else { throw error }
      return nil
    }
  }

  package func assets() throws -> [AssetName] {
    var names: [AssetName] = []
    for (index, source) in assetColumns.enumerated() {
      let statement = try translatingErrors {
        try file.connection.prepare(
          "SELECT \"z_index\", \(source.name.quoted) FROM \(source.table.quoted) "
            + "ORDER BY \"z_index\"")
      }
      while try translatingErrors({ try statement.step() }) {
        try Task.checkCancellation()
        guard let value = ForeignValue(statement.column(1)) else { continue }
        let number = try self.number(statement.column(0), source.type)
        try Self.locating(number, source.type, source.schema) {
          guard let size = try size(of: value, source.schema) else { return }
          names.append(try assetNames.name(index, try Self.rowID(number), size: size))
        }
      }
    }
    try file.database.checkNotInUse()
    return names
  }

  package func open(_ asset: AssetName) throws -> any ReadableFile {
    guard let (column, rowID) = assetNames.place(of: asset), assetColumns.indices ~= column else {
      throw MagicError(.assetMissing, "The file has no value for the asset \(asset.text).")
    }
    let source = assetColumns[column]
    return try translatingErrors {
      let statement = try file.connection.cachedStatement(
        "SELECT \(source.name.quoted) FROM \(source.table.quoted) WHERE \"z_index\" = ?")
      defer { statement.reset() }
      try statement.bind(rowID - 1, at: 1)
      _ = try statement.step()
      return try Self.locating(rowID - 1, source.type, source.schema) {
        guard let value = ForeignValue(statement.column(0)) else {
          throw ValueFault(reason: "it is missing")
        }
        return try assetFiles.open(value)
      }
    }
  }
}
