import MagicEngine
import MagicMigration
import MagicPostgreSQL
import MagicSchema
import Magical
import PostgreSQLEngine
import PostgreSQLTables

/// A column that a closure has set.
final class TransformedColumn {
  let name: String
  /// The temporary table with the new values.
  let table: String
  /// The type of the values; nil as long as all are NULL.
  fileprivate(set) var type: PostgreSQLType?
  /// The values of the current batch, by row ID. A row may be set twice.
  fileprivate var values: [Int64: TransformedValue] = [:]

  fileprivate init(_ name: String, number: Int) {
    self.name = name
    table = "magic_transformed_\(number)"
  }
}

/// A value that a closure has set.
enum TransformedValue: MagicalWriter {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  mutating func write(integer: Int64) { self = .integer(integer) }
  mutating func write(real: Double) { self = .real(real) }
  mutating func write(text: UnsafeRawBufferPointer) { self = .text(Array(text)) }
  mutating func write(blob: UnsafeRawBufferPointer) { self = .blob(Array(blob)) }
}

/// The rows that a closure transforms.
final class TransformedRows: OldRowValues, NewRowValues {
  private let schema: ObjectSchema
  private let table: StoredTable
  private let session: EngineSession
  private let texts = TextMemory()
  private var result: PostgreSQLResult?
  private var row = 0
  private(set) var zIndex = ZIndex(rawValue: 0)
  /// The columns that the closure has set, in the order of their first values.
  private(set) var columns: [TransformedColumn] = []
  private var indices: [String: Int] = [:]

  init(
    _ schema: ObjectSchema, _ table: StoredTable, _ transform: RowTransform,
    _ session: EngineSession
  ) {
    self.schema = schema
    self.table = table
    self.session = session
    for (index, column) in table.columns.enumerated() { indices[column.name.folded] = index }
  }

  func begin(_ result: PostgreSQLResult, _ row: Int) {
    self.result = result
    self.row = row
    zIndex = ZIndex(rawValue: result.integer(row, 0))
    texts.removeAll()
  }

  // MARK: Values

  func value<Value: Magical>(_ name: String, as type: Value.Type) throws -> Value? {
    let index = try index(of: name)
    guard let result, !result.isNull(row, index + 1),
      let storedType = table.columns[index].type
    else { return nil }
    let column = ResultColumn(result.value(row, index + 1), storedType, texts)
    return try converting(name) {
      guard let file = type as? any FileValue.Type else { return try Value.read(from: column) }
      return self.file(file, String(decoding: column.textBytes, as: UTF8.self)) as? Value
    }
  }

  private func file<Value: FileValue>(_ type: Value.Type, _ name: String) -> Value {
    Value(
      name.isEmpty
        ? nil
        : FileContent(at: FileContent.Place(store: session.context.token, name: name)))
  }

  func set<Value: Magical>(_ name: String, to value: Value?) throws {
    let index = try index(of: name)
    var written = TransformedValue.null
    try converting(name) {
      if let file = value as? any FileValue {
        let name = try file.content.map { try session.assetName(of: $0, nil, schema) } ?? ""
        written = .text(Array(name.utf8))
      } else if let value {
        try value.write(to: &written)
      }
    }
    let stored = table.columns[index]
    let column = try columns.first { $0.name == stored.name } ?? makeColumn(stored.name)
    try converting(name) { try check(written, of: column, stored) }
    column.values[zIndex.rawValue] = written
  }

  private func makeColumn(_ name: String) throws -> TransformedColumn {
    let column = TransformedColumn(name, number: columns.count + 1)
    try execute(
      "CREATE TEMPORARY TABLE \(column.table.quoted) (\"z_index\" bigint PRIMARY KEY) "
        + "ON COMMIT DROP")
    columns.append(column)
    return column
  }

  /// Determines the type of a column from its first value, and checks later values.
  private func check(
    _ value: TransformedValue, of column: TransformedColumn, _ stored: StoredColumn
  ) throws {
    if case .null = value { return }
    if let type = column.type {
      guard value.isStorable(as: type) else {
        throw MagicalError.cannotEncode("other rows have values of type \(type.shortName)")
      }
      return
    }
    let declared = schema.columns.first {
      schema.names(of: $0).contains { $0.isName(stored.name) }
    }
    let types = [declared?.type, stored.type, value.type].compactMap { $0 }
    guard let type = types.first(where: value.isStorable) else { return }
    try execute("ALTER TABLE \(column.table.quoted) ADD COLUMN value \(type.sql)")
    column.type = type
  }

  private func execute(_ sql: String) throws {
    _ = try translatingErrors(schema) { try session.connection.execute(sql) }
  }

  private func index(of name: String) throws -> Int {
    try schema.index(ofColumn: name, in: indices)
  }

  private func converting<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    try schema.converting(name, of: zIndex, body)
  }

  // MARK: Writing

  /// Writes the values of the batch to the temporary tables.
  func flush() throws {
    for column in columns where !column.values.isEmpty {
      let fields = session.fields
      fields.removeAll()
      fields.appendCopyHeader()
      for (rowID, value) in column.values {
        fields.beginCopyRow(column.type == nil ? 1 : 2)
        fields.append(integer: rowID)
        if let type = column.type { value.append(to: fields, as: type) }
      }
      fields.appendCopyTrailer()
      let names = column.type == nil ? "\"z_index\"" : "\"z_index\", value"
      _ = try translatingErrors(schema) {
        try session.connection.copy(
          "COPY \(column.table.quoted) (\(names)) FROM STDIN (FORMAT binary)", in: fields)
      }
      column.values.removeAll(keepingCapacity: true)
    }
  }
}

extension TransformedValue {
  /// The type of the value if no other type is declared.
  fileprivate var type: PostgreSQLType? {
    switch self {
    case .null: nil
    case .integer: .bigint
    case .real: .float8
    case .text: .text
    case .blob: .bytea
    }
  }

  /// Whether a column of a type can contain the value.
  fileprivate func isStorable(as type: PostgreSQLType) -> Bool {
    switch self {
    case .null: true
    case .integer(let value): type == .bigint || type == .boolean && (value == 0 || value == 1)
    case .real: type == .float8
    case .text(let text):
      type == .text || type == .uuid && text.withUnsafeBytes { UUIDText.bytes(of: $0) } != nil
    case .blob: type == .bytea
    }
  }

  fileprivate func append(to fields: PostgreSQLFields, as type: PostgreSQLType) {
    switch self {
    case .null: fields.appendNull()
    case .integer(let value):
      if type == .boolean {
        fields.append(boolean: value != 0)
      } else {
        fields.append(integer: value)
      }
    case .real(let value): fields.append(real: value)
    case .text(let text):
      text.withUnsafeBytes { bytes in
        guard type == .uuid, let uuid = UUIDText.bytes(of: bytes) else {
          return fields.append(text: bytes)
        }
        withUnsafeBytes(of: uuid) { fields.append(bytes: $0) }
      }
    case .blob(let bytes): bytes.withUnsafeBytes { fields.append(bytes: $0) }
    }
  }
}
