package import DatabaseTransfer
import Foundation
package import MagicFiles
import MagicRuntime
import MagicSQLite
package import MagicSchema
import SQLiteTables

/// A store of Core Data or SwiftData, as the source of a copy.
package final class CoreDataSource: TransferSource {
  private let store: CoreDataStore
  private let plan: ImportPlan
  private let described: [TransferredTable]
  private let external: ExternalFiles
  private let assetNames = ImportedAssetNames()

  /// - Parameters:
  ///   - path: the path of the store.
  ///   - model: the path of a model; nil to read the model that the store contains.
  ///   - types: the types; empty to derive them from the model.
  ///   - names: other names of entities and properties.
  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase`, `.corrupt`, `.busy`; `.invalidSchema` if
  ///   the plan is refused.
  package init(
    path: String, model: String?, types: [any MagicObject.Type], names: [String: String]
  ) throws {
    let store = try CoreDataStore(path: path, model: model)
    do {
      let plan = try translatingErrors {
        try ImportPlan(of: store, schemas: types.map { try ObjectSchema.of($0) }, names: names)
      }
      if let refusal = plan.refusals.first {
        throw MagicError(
          .invalidSchema, "The store cannot be imported: \(refusal.reason).", type: refusal.entity,
          property: refusal.property)
      }
      described = try plan.types.map {
        try TransferredTable($0, among: plan.types, store: store)
      }
      self.plan = plan
    } catch {
      store.close()
      throw error
    }
    external = ExternalFiles(store: store.path)
    self.store = store
  }

  package func close() { store.close() }

  package func tables() throws -> [TransferredTable] { described }

  private func type(of rows: TransferredRows) throws -> ImportedType {
    guard let type = plan.types.first(where: { $0.table == rows.table.name }) else {
      throw MagicError(.invalidSchema, "The store has no such type.", type: rows.table.typeName)
    }
    return type
  }

  /// The query for rows. The first column is the row ID, or that of the owner.
  private func query(_ rows: TransferredRows) throws -> String {
    let type = try type(of: rows)
    let queries = StoreQueries(store: store)
    switch rows.content {
    case .members(let collection):
      guard
        case .toMany(let link, _, _, _)? = type.properties.first(where: {
          $0.column == collection.property
        })?.content
      else { throw StoreQueries.MissingPlace() }
      return try queries.members(link, of: type.entity)
    case .objects:
      let columns = try storedProperties(of: type).map { property in
        switch property.content {
        case .attribute(let owner, let attribute, _):
          guard let column = store.column(attribute.name, of: owner) else {
            throw StoreQueries.MissingPlace()
          }
          return "s.\(column.quoted)"
        case .toOne(let link, _): return "(\(try queries.toOne(link)))"
        default: return "NULL"
        }
      }
      return "SELECT \((["s.\"Z_PK\""] + columns).joined(separator: ", ")) "
        + "FROM \(store.table(type.entity).quoted) AS s "
        + "WHERE \(queries.isObject("s", of: type.entity)) ORDER BY s.\"Z_PK\""
    }
  }

  /// The properties that are columns, in their order.
  private func storedProperties(of type: ImportedType) -> [ImportedProperty] {
    type.properties.filter { property in
      switch property.content {
      case .attribute, .newKey, .toOne: true
      case .toMany, .inverse: false
      }
    }
  }

  package func count(_ rows: TransferredRows) throws -> Int {
    let query = try query(rows)
    return try translatingErrors {
      Int(try store.connection.integer("SELECT count(*) FROM (\(query))") ?? 0)
    }
  }

  package func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws {
    let query = try query(rows)
    let statement = try translatingErrors { try store.connection.prepare(query) }
    switch rows.content {
    case .members(let collection): try forEachMember(statement, collection, body)
    case .objects: try forEachObject(statement, rows, body)
    }
    try store.checkNotInUse()
  }

  // MARK: Members

  private func forEachMember(
    _ statement: SQLiteStatement, _ collection: TransferredCollection,
    _ body: ([TransferredValue]) throws -> Void
  ) throws {
    var (owner, position) = (Int64(0), Int64(0))
    while try translatingErrors({ try statement.step() }) {
      let (next, member) = (statement.column(0).integer, statement.column(1).integer)
      if next != owner { (owner, position) = (next, 0) }
      position += ListPositions.spacing
      let key = collection.kind == .list ? [TransferredValue.integer(position)] : []
      try body([.integer(owner)] + key + [.integer(member)])
    }
  }

  // MARK: Objects

  private func forEachObject(
    _ statement: SQLiteStatement, _ rows: TransferredRows,
    _ body: ([TransferredValue]) throws -> Void
  ) throws {
    let type = try type(of: rows)
    let properties = storedProperties(of: type)
    let files = properties.enumerated().map { assetNumber(type, property: $0.offset) }
    while try translatingErrors({ try statement.step() }) {
      let rowID = statement.column(0).integer
      var values: [TransferredValue] = [.integer(rowID)]
      values.reserveCapacity(properties.count + 1)
      for (index, property) in properties.enumerated() {
        values.append(
          try locating(rowID, type, property) {
            try value(statement.column(index + 1), of: property, type, rowID, file: files[index])
          })
      }
      try body(values)
    }
  }

  private func value(
    _ column: SQLiteColumn, of property: ImportedProperty, _ type: ImportedType, _ rowID: Int64,
    file: Int
  ) throws -> TransferredValue {
    switch property.content {
    case .newKey(let form): return newKey(form, type, rowID)
    case .attribute(_, let attribute, let form):
      if column.isNull {
        guard !property.isOptional, let value = attribute.defaultValue.flatMap(form.value(of:))
        else { return .null }
        return value
      }
      if form == .asset {
        let name = try assetNames.name(file, rowID, size: try size(of: column, attribute))
        return .text(Array(name.text.utf8))
      }
      guard attribute.isExternal, column.type == .blob else {
        guard let value = ForeignValue(column) else { return .null }
        return try form.value(of: value)
      }
      return .blob(try bytes(ForeignValue.blob(column), attribute))
    case .toOne: return column.isNull ? .null : .integer(column.integer)
    case .toMany, .inverse: return .null
    }
  }

  /// A key for an object that has none in the store: the same one in each import of the store.
  private func newKey(_ form: ForeignForm, _ type: ImportedType, _ rowID: Int64)
    -> TransferredValue
  {
    guard form != .integer(.min ... .max) else { return .integer(rowID) }
    let name = ObjectSchema.fingerprint(of: type.entity.name)
    // A UUID of version 8, whose bits are free: a hash of the entity's name, and the row number.
    let hash = UInt64(name, radix: 16) ?? 0
    var bytes = (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: rowID >> (56 - 8 * Int64($0))) }
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    switch form {
    case .uuid: return .uuid(bytes)
    case .uuidBytes: return .blob(bytes)
    default: return .text(TransferredValue.uuidText(bytes))
    }
  }

  // MARK: Assets

  private func assetNumber(_ type: ImportedType, property: Int) -> Int {
    let index = plan.types.firstIndex { $0.table == type.table } ?? 0
    return plan.types[..<index].reduce(property) { $0 + storedProperties(of: $1).count }
  }

  /// The columns whose values become assets, by their numbers.
  private lazy var assetColumns: [Int: AssetSource] = {
    var columns: [Int: AssetSource] = [:]
    for type in plan.types {
      for (index, property) in storedProperties(of: type).enumerated() {
        guard case .attribute(let owner, let attribute, .asset) = property.content,
          let column = store.column(attribute.name, of: owner)
        else { continue }
        columns[assetNumber(type, property: index)] = AssetSource(
          type: type, property: property, attribute: attribute, column: column)
      }
    }
    return columns
  }()

  private struct AssetSource {
    let type: ImportedType
    let property: ImportedProperty
    let attribute: CoreDataModel.Attribute
    let column: String
  }

  package func assets() throws -> [AssetName] {
    var names: [AssetName] = []
    for (number, source) in assetColumns.sorted(by: { $0.key < $1.key }) {
      let type = source.type
      let statement = try translatingErrors {
        try store.connection.prepare(
          "SELECT s.\"Z_PK\", s.\(source.column.quoted) "
            + "FROM \(store.table(type.entity).quoted) AS s "
            + "WHERE \(StoreQueries(store: store).isObject("s", of: type.entity)) "
            + "AND s.\(source.column.quoted) IS NOT NULL ORDER BY s.\"Z_PK\"")
      }
      while try translatingErrors({ try statement.step() }) {
        let rowID = statement.column(0).integer
        try locating(rowID, type, source.property) {
          let size = try size(of: statement.column(1), source.attribute)
          names.append(try assetNames.name(number, rowID, size: size))
        }
      }
    }
    try store.checkNotInUse()
    return names
  }

  /// Adds the type, the property and the row to an error of a value.
  private func locating<Result>(
    _ rowID: Int64, _ type: ImportedType, _ property: ImportedProperty,
    _ body: () throws -> Result
  ) throws -> Result {
    try ValueFault.located(
      "in the row \(rowID)", type: type.name, property: property.name, body)
  }

  private func size(of column: SQLiteColumn, _ attribute: CoreDataModel.Attribute) throws -> Int {
    let blob = try ForeignValue.blob(column)
    guard attribute.isExternal else { return blob.count }
    switch ExternalFiles.place(of: blob) {
    case .inline(let bytes)?: return bytes.count
    case .file(let name)?:
      let file = try external.open(name)
      defer { file.close() }
      return file.size
    case nil: throw ValueFault(reason: "the form of its external storage is unknown")
    }
  }

  private func bytes(_ blob: [UInt8], _ attribute: CoreDataModel.Attribute) throws -> [UInt8] {
    guard attribute.isExternal else { return blob }
    switch ExternalFiles.place(of: blob) {
    case .inline(let bytes)?: return Array(bytes)
    case .file(let name)?: return try external.read(name)
    case nil: throw ValueFault(reason: "the form of its external storage is unknown")
    }
  }

  package func open(_ asset: AssetName) throws -> any ReadableFile {
    guard let (number, rowID) = assetNames.place(of: asset), let source = assetColumns[number]
    else { throw MagicError(.assetMissing, "The store has no value for the asset \(asset.text).") }
    let blob = try translatingErrors { () throws -> [UInt8] in
      let statement = try store.connection.cachedStatement(
        "SELECT \(source.column.quoted) FROM \(store.table(source.type.entity).quoted) "
          + "WHERE \"Z_PK\" = ?")
      defer { statement.reset() }
      try statement.bind(rowID, at: 1)
      guard try statement.step() else { return [] }
      return Array(statement.column(0).blobBytes)
    }
    return try locating(rowID, source.type, source.property) {
      if source.attribute.isExternal, case .file(let name)? = ExternalFiles.place(of: blob) {
        return try external.open(name)
      }
      return BytesInMemory(Data(try bytes(blob, source.attribute)))
    }
  }
}
