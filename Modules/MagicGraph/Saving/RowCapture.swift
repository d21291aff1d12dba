import Foundation
import MagicEngine
import MagicRuntime
import MagicSchema
import Magical

/// Copies an object's values into the fields of a changeset.
struct RowCapture {
  let values: FieldBuffer
  /// Whether a rollback must mark the saved properties as changed again.
  let logsBoxes: Bool
  /// The row IDs that the object's to-one relationships refer to, by column.
  let targets: [Int64?]

  init(_ object: ObjectReference, into values: FieldBuffer, targets: [Int64?] = []) {
    self.values = values
    logsBoxes = object.hasHistory
    self.targets = targets
  }

  /// Copies the values of all columns from an index on, and marks the properties as saved.
  ///
  /// - Parameter first: the index of the first column's field.
  /// - Returns: the index of the next column that the caller must handle: one that has no value and
  ///   is not nullable, or one that is stored in files. Nil if there is none.
  func captureColumns(
    from column: Int, of object: ObjectReference, at first: Int, log: inout UndoLog
  ) throws -> Int? {
    let plans = object.schema.plans
    for column in column..<plans.count {
      let plan = plans[column]
      if try capture(column, plan.codec, of: object, at: first + column, log: &log) { continue }
      if case .file = plan.codec { return column }
      if !plan.isNullable { return column }
    }
    return nil
  }

  /// Copies the value of one column, and marks the property as saved.
  ///
  /// - Returns: false if the property has no value, or is stored in a file. The field is then NULL.
  func capture(
    _ column: Int, of object: ObjectReference, at place: Int, log: inout UndoLog
  ) throws -> Bool {
    try capture(column, object.schema.plans[column].codec, of: object, at: place, log: &log)
  }

  @inline(__always)
  private func capture(
    _ column: Int, _ codec: ColumnCodec, of object: ObjectReference, at place: Int,
    log: inout UndoLog
  ) throws -> Bool {
    let property = object.place(column)
    let field = values.firstMutableField + place
    switch codec {
    case .string:
      guard var value = take(property, String.self, &log) else { break }
      field.pointee = value.withUTF8 { values.copy(text: UnsafeRawBufferPointer($0)) }
      return true
    case .int:
      guard let value = take(property, Int.self, &log) else { break }
      field.pointee = .integer(Int64(value))
      return true
    case .int64:
      guard let value = take(property, Int64.self, &log) else { break }
      field.pointee = .integer(value)
      return true
    case .double:
      guard let value = take(property, Double.self, &log) else { break }
      guard !value.isNaN else { throw failure(.notANumber, column, object) }
      field.pointee = .real(value)
      return true
    case .date:
      guard let seconds = take(property, Date.self, &log)?.storedValue else { break }
      guard !seconds.isNaN else { throw failure(.notANumber, column, object) }
      field.pointee = .real(seconds)
      return true
    case .bool:
      guard let value = take(property, Bool.self, &log) else { break }
      field.pointee = .integer(value ? 1 : 0)
      return true
    case .data:
      guard let value = take(property, Data.self, &log) else { break }
      field.pointee = value.withUnsafeBytes { values.copy(blob: $0) }
      return true
    case .bytes:
      guard let value = take(property, [UInt8].self, &log) else { break }
      field.pointee = value.withUnsafeBytes { values.copy(blob: $0) }
      return true
    case .uuid:
      guard let value = take(property, UUID.self, &log) else { break }
      field.pointee = value.withText { values.copy(text: $0) }
      return true
    case .vector: return try captureVector(column, of: object, in: field, log: &log)
    case .uuidBytes: return captureBytes(of: take(property, MagicUUID.self, &log), in: field)
    case .link:
      guard let target = targets[column] else { break }
      field.pointee = .integer(target)
      return true
    case .file: break
    case .int8, .int16, .int32, .uint, .uint8, .uint16, .uint32, .uint64, .float, .decimal,
      .converted:
      field.pointee = .null
      return try captureConverted(column, of: object, at: place, log: &log)
    }
    field.pointee = .null
    return false
  }

  private func captureBytes(
    of value: MagicUUID?, in field: UnsafeMutablePointer<Field>
  ) -> Bool {
    guard let value else {
      field.pointee = .null
      return false
    }
    field.pointee = withUnsafeBytes(of: value.uuid.uuid) { values.copy(blob: $0) }
    return true
  }

  private func captureVector(
    _ column: Int, of object: ObjectReference, in field: UnsafeMutablePointer<Field>,
    log: inout UndoLog
  ) throws -> Bool {
    guard let value = take(object.place(column), MagicVector.self, &log) else {
      field.pointee = .null
      return false
    }
    guard !value.containsNaN else { throw failure(.notANumber, column, object) }
    field.pointee = value.elements.withUnsafeBytes { values.copy(blob: $0) }
    return true
  }

  private func captureConverted(
    _ index: Int, of object: ObjectReference, at place: Int, log: inout UndoLog
  ) throws -> Bool {
    let column = object.schema.columns[index]
    var writer = FieldWriter(values, at: place)
    do {
      return try column.write(object.property(index), to: &writer) {
        log.clear($0, isLogged: logsBoxes)
      }
    } catch let error as MagicalError {
      throw failure(error, index, object)
    } catch {
      throw failure(.cannotEncode("\(type(of: error))"), index, object)
    }
  }

  /// Reads the value and clears the changed flag of its box under one lock.
  @inline(__always)
  private func take<Value: Magical & Sendable>(
    _ property: UnsafePointer<PropertyReference>, _ type: Value.Type, _ log: inout UndoLog
  ) -> Value? {
    guard property.pointee.isBox else { return takeFetched(property.pointee, type, &log) }
    // The object retains the box, so it is not retained here.
    let storage = UnsafeRawPointer(property).load(as: Unmanaged<PropertyBox<Value>>.self)
    return storage._withUnsafeGuaranteedRef {
      $0.load { log.clear($0, isLogged: logsBoxes) }
    }
  }

  private func takeFetched<Value: Magical & Sendable>(
    _ property: PropertyReference, _ type: Value.Type, _ log: inout UndoLog
  ) -> Value? {
    property.load(type) { log.clear($0, isLogged: logsBoxes) }
  }

  private func failure(
    _ error: MagicalError, _ column: Int, _ object: ObjectReference
  ) -> MagicError {
    MagicError(
      error, schema: object.schema, column: object.schema.columns[column], row: nil)
  }
}
