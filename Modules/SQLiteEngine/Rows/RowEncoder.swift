import Foundation
import MagicRuntime
import MagicSQLite
import MagicSchema
import Magical
import SQLiteTables

/// Binds an object's properties to a statement's parameters.
struct RowEncoder {
  let schema: ObjectSchema
  let arena: ParameterArena
  /// Whether what is marked as saved must be marked as changed again after a rollback.
  let logsCells: Bool
  /// The rows that the to-ones of the object at work lead to, by column.
  var links: [Int64?] = []

  /// Binds one column's value and marks the property as saved.
  ///
  /// - Returns: false where the property has no value; nothing is bound then.
  @inline(__always)
  func bind(
    _ column: Int, of object: ObjectReference, to statement: SQLiteStatement, at index: Int,
    log: inout SaveLog
  ) throws -> Bool {
    let property = object.place(column)
    switch object.schema.plans[column].codec {
    case .string:
      guard var value = take(property, String.self, &log) else { return false }
      try value.withUTF8 {
        try statement.bind(text: UnsafeRawBufferPointer($0), at: index, in: arena)
      }
    case .int:
      guard let value = take(property, Int.self, &log) else { return false }
      try statement.bind(Int64(value), at: index)
    case .int64:
      guard let value = take(property, Int64.self, &log) else { return false }
      try statement.bind(value, at: index)
    case .double:
      guard let value = take(property, Double.self, &log) else { return false }
      guard !value.isNaN else { throw failure(.notANumber, schema.columns[column]) }
      try statement.bind(value, at: index)
    case .date:
      guard let value = take(property, Date.self, &log) else { return false }
      let seconds = value.timeIntervalSinceReferenceDate
      guard !seconds.isNaN else { throw failure(.notANumber, schema.columns[column]) }
      try statement.bind(seconds, at: index)
    case .bool:
      guard let value = take(property, Bool.self, &log) else { return false }
      try statement.bind(Int64(value ? 1 : 0), at: index)
    case .data:
      guard let value = take(property, Data.self, &log) else { return false }
      try value.withUnsafeBytes { try statement.bind(blob: $0, at: index, in: arena) }
    case .bytes:
      guard let value = take(property, [UInt8].self, &log) else { return false }
      try value.withUnsafeBytes { try statement.bind(blob: $0, at: index, in: arena) }
    case .uuid:
      guard let value = take(property, UUID.self, &log) else { return false }
      try value.withText { try statement.bind(text: $0, at: index, in: arena) }
    case .link:
      guard let zIndex = links[column] else { return false }
      try statement.bind(zIndex, at: index)
    case .file:
      // Its file is to be written first.
      return false
    case .int8, .int16, .int32, .uint, .uint8, .uint16, .uint32, .uint64, .float, .converted:
      return try bindConverted(
        schema.columns[column], property.pointee, to: statement, at: index, log: &log)
    }
    return true
  }

  private func bindConverted(
    _ column: ColumnSchema, _ property: PropertyReference, to statement: SQLiteStatement,
    at index: Int, log: inout SaveLog
  ) throws -> Bool {
    // The flag goes first: a value that is set meanwhile stays marked.
    if let cell = property.existingBox(column.packing) {
      cell.withLock { log.clear(cell, isLogged: logsCells) }
    }
    var writer = ParameterWriter(statement: statement, index: index, arena: arena)
    do {
      return try column.write(property, to: &writer)
    } catch let error as MagicalError {
      throw failure(error, column)
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw failure(.cannotEncode("\(type(of: error))"), column)
    }
  }

  /// The value, and its cell's flag cleared under one lock.
  @inline(__always)
  private func take<Value: Magical & Sendable>(
    _ property: UnsafePointer<PropertyReference>, _ type: Value.Type, _ log: inout SaveLog
  ) -> Value? {
    guard property.pointee.isBox else { return takeFetched(property.pointee, type, &log) }
    // The object keeps the cell: no reference is counted here.
    let storage = UnsafeRawPointer(property).load(as: Unmanaged<PropertyBox<Value>>.self)
    return storage._withUnsafeGuaranteedRef { cell in
      cell.lock()
      if cell.hasDetachedChanges { cell.waitForDetachedChanges(taken: true) }
      log.clear(cell, isLogged: logsCells)
      let (value, hasHistory) = (cell.presentValue, cell.hasChangeHistory)
      cell.unlock()
      if hasHistory { cell.dropOldCopy() }
      return value
    }
  }

  private func takeFetched<Value: Magical & Sendable>(
    _ property: PropertyReference, _ type: Value.Type, _ log: inout SaveLog
  ) -> Value? {
    if let cell = property.existingBox(Value._packing) {
      cell.withLock { log.clear(cell, isLogged: logsCells) }
    }
    return property.load(type)
  }

  private func failure(_ error: MagicalError, _ column: ColumnSchema) -> MagicError {
    MagicError(error, schema: schema, column: column, row: nil)
  }
}
