import MagicSchema
import Magical

extension MagicRecord {
  /// Returns the values as a record of CloudKit. Assets are not contained: `cloudRecord()` of an object
  /// adds them.
  ///
  /// - Throws: ``MagicCloudError``: `invalidName` if the record has no name, as without the primary, or
  ///   a property has a name that CloudKit does not allow; `invalidField` for a value that cannot be
  ///   stored. `MagicError` if the type cannot be stored as it is declared.
  public func cloudRecord() throws -> MagicCloudRecord {
    let schema = try ObjectSchema.of(Model.self)
    let type = try CloudName.recordType(of: schema)
    var record = MagicCloudRecord(
      recordType: type, recordName: try identifier(schema).cloudRecordName)
    for (index, (property, entry)) in zip(schema.recordedProperties, entries).enumerated() {
      guard let property, let entry, index != schema.primary, index != schema.version else {
        continue
      }
      try schema.checkField(property)
      guard let value = entry.value else {
        record.fields[property.property] = .null
        continue
      }
      let field = try schema.explaining(property) { try property.cloudField(of: value) }
      record.fields[property.property] = field.value
      if let keys = field.keys {
        record.fields[CloudField.keysName(property.property)] = .list(keys.map { .text($0) })
      }
    }
    return record
  }

  /// Creates the record of the values in a record of CloudKit. A property that may be nil is nil if the
  /// record has no field for it. Any other one is then not contained, except a collection, which is
  /// empty: CloudKit keeps neither null nor empty lists. Other fields, and assets, are ignored.
  ///
  /// - Throws: ``MagicCloudError``: `recordTypeMismatch` for the record of another type, `invalidName` if
  ///   its name contains no primary of the type, `invalidField` for a value that is none of the
  ///   property. `MagicError` if the type cannot be stored as it is declared.
  public init(cloudRecord record: MagicCloudRecord) throws {
    let schema = try ObjectSchema.of(Model.self)
    let type = try CloudName.recordType(of: schema)
    guard record.recordType == type else {
      throw MagicCloudError.recordTypeMismatch(expected: type, found: record.recordType)
    }
    let id = try MagicID<Model>(cloudRecordName: record.recordName)
    entries = try schema.recordedProperties.enumerated().map { index, property in
      guard let property, index != schema.version else { return nil }
      if index == schema.primary { return .value(try Self.primary(of: id, property, schema)) }
      return try schema.explaining(property) { try Self.entry(property, record) }
    }
  }

  private static func entry(
    _ property: any RecordedProperty, _ record: MagicCloudRecord
  ) throws -> RecordEntry? {
    let isCollection = !(property is ColumnSchema)
    let value = record.fields[property.property] ?? .null
    guard value != .null || isCollection else {
      return property.mayBeNull ? .null : nil
    }
    var field = CloudField(value: value == .null ? .list([]) : value)
    if let keys = record.fields[CloudField.keysName(property.property)], isCollection {
      field.keys = try keys.texts
    }
    return .value(try property.value(of: field))
  }

  private static func primary(
    of id: MagicID<Model>, _ property: any RecordedProperty, _ schema: ObjectSchema
  ) throws -> Any {
    guard let column = property as? any IdentifyingColumn,
      let value = try? column.primary(for: id.key)
    else { throw CloudName.invalid(schema.typeName) }
    return value
  }

  /// The identifier of the object with the values.
  private func identifier(_ schema: ObjectSchema) -> MagicID<Model> {
    guard let index = schema.primary, entries.indices.contains(index),
      let value = entries[index]?.value,
      let key = (schema.columns[index] as? any IdentifyingColumn)?.key(ofValue: value)
    else { return MagicID(key: .unsaved(0)) }
    return MagicID(key: key)
  }
}

extension IdentifyingColumn {
  fileprivate func key(ofValue value: Any) -> IdentifierKey? {
    guard let stored = try? (value as? Primary)?.storedValue else { return nil }
    return IdentifierKey(stored: stored)
  }
}

extension MagicCloudValue {
  fileprivate var texts: [String] {
    get throws {
      guard case .list(let values) = self else {
        throw CloudFieldProblem(self, needs: "a list of texts beside it")
      }
      return try values.map {
        guard case .text(let text) = $0 else {
          throw CloudFieldProblem($0, needs: "a list of texts beside it")
        }
        return text
      }
    }
  }
}

extension ObjectSchema {
  /// Checks that a property can be a field, and that the field beside it is not another property.
  func checkField(_ property: PropertySchema) throws {
    guard CloudName.isField(property.property) else {
      throw MagicCloudError.invalidName(
        type: typeName,
        reason:
          "CloudKit does not allow a field with the name of the property \(property.property).")
    }
    guard let other = CloudField.companion(of: property),
      columns.contains(where: { $0.property == other })
        || collections.contains(where: { $0.property == other })
    else { return }
    throw MagicCloudError.invalidName(
      type: typeName,
      reason:
        "The property \(property.property) needs the field \(other), which is a property too. "
        + "Rename one of them.")
  }

  /// Adds the property to the errors of its value.
  func explaining<Result>(
    _ property: PropertySchema, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let problem as CloudFieldProblem {
      throw MagicCloudError.invalidField(
        type: typeName, property: property.property, reason: problem.reason)
    } catch let error as MagicalError {
      throw MagicCloudError.invalidField(
        type: typeName, property: property.property, reason: "The value is invalid: \(error).")
    }
  }
}
