import Foundation
import MagicMigration
import MagicSQLite
import MagicSchema
import Magical
import SQLiteEngine
import SQLiteTables

/// The current row of a transformation, with its old and its new values.
final class TransformedRows: OldRowValues, NewRowValues {
  private let transformation: RowTransformation
  private let transaction: any MigrationTransaction
  private let arena: ParameterArena
  private let select: SQLiteStatement
  private let insert: SQLiteStatement
  private let indices: [String: Int]
  /// The columns that were set in at least one row, in lower case.
  private(set) var written: Set<String> = []

  init(_ transformation: RowTransformation, in transaction: any MigrationTransaction) throws {
    self.transformation = transformation
    self.transaction = transaction
    arena = transaction.arena
    let connection = transaction.connection
    select = try connection.prepare(transformation.select)
    insert = try connection.prepare(transformation.insert)
    indices = Dictionary(
      zip(transformation.columns.map { $0.folded }, 1...), uniquingKeysWith: { first, _ in first })
  }

  /// Advances to the next row. Its new values are initially its old values.
  func advance() throws -> Bool {
    guard try select.step() else { return false }
    arena.reset()
    for column in 0...transformation.columns.count {
      try insert.bind(select.column(column), at: column + 1)
    }
    return true
  }

  /// Writes the row with its new values.
  func write() throws { try insert.run() }

  func end() {
    select.reset()
    insert.reset()
  }

  var zIndex: ZIndex { ZIndex(rawValue: select.column(0).integer) }

  func value<Value: Magical>(_ name: String, as type: Value.Type) throws -> Value? {
    let column = select.column(try index(of: name))
    if column.isNull { return nil }
    return try converting(name) {
      if let file = type as? any FileValue.Type { return self.file(file, column) as? Value }
      return try Value.read(from: ColumnReader(column: column))
    }
  }

  private func file<Value: FileValue>(_ type: Value.Type, _ column: SQLiteColumn) -> Value {
    let name = column.text
    return Value(
      name.isEmpty
        ? nil : FileContent(at: FileContent.Place(store: transaction.token, name: name)))
  }

  func set<Value: Magical>(_ name: String, to value: Value?) throws {
    let index = try index(of: name)
    written.insert(transformation.columns[index - 1].folded)
    try converting(name) {
      guard let value else { return try insert.bindNull(at: index + 1) }
      if let file = value as? any FileValue {
        return try insert.bind(
          file.content.map { try transaction.fileName(of: $0) } ?? "", at: index + 1)
      }
      var writer = ParameterWriter(
        statement: insert, index: index + 1, arena: arena)
      try value.write(to: &writer)
    }
  }

  private func index(of name: String) throws -> Int {
    try transformation.schema.index(ofColumn: name, in: indices)
  }

  private func converting<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    try transformation.schema.converting(name, of: zIndex, body)
  }
}
