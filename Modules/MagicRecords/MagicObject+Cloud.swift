import Foundation
import MagicAssets
import MagicEngine
public import MagicSchema
public import MagicStore

extension MagicObject {
  /// Returns the values of the object, with its assets, as a record of CloudKit. The files of the assets
  /// are those of the database, which must not be changed.
  ///
  /// - Throws: as ``MagicRecord/cloudRecord()``, and ``MagicCloudError`` with the case `invalidField` for
  ///   an asset that is not saved.
  public func cloudRecord() throws -> MagicCloudRecord {
    let schema = try ObjectSchema.of(Self.self)
    var record = try values.cloudRecord()
    try schema.withReference(to: self) { object in
      for (index, column) in schema.cloudFiles {
        try schema.checkField(column)
        guard let file = column.content(of: object.property(index)) else {
          record.fields[column.property] = .null
          continue
        }
        guard let url = file.location else {
          throw MagicCloudError.invalidField(
            type: schema.typeName, property: column.property,
            reason: "The asset has no file. Save its object first.")
        }
        record.fields[column.property] = .file(url)
        record.fields[CloudField.extensionName(column.property)] =
          file.pathExtension.map { .text($0) } ?? .null
      }
    }
    return record
  }

  /// Creates an object with the values of a record of CloudKit. The files of its assets are copied when
  /// the object is saved.
  ///
  /// Objects of relationships must be fetched: use `apply(cloudRecord:to:)` of a database for a record with
  /// references.
  ///
  /// - Throws: as the same initializer of a ``MagicRecord``, and as `apply(_:)` of its values, and
  ///   ``MagicCloudError`` with the case `missingField` if the record has no field for a property that
  ///   needs a value and that `init()` gives none.
  public init(cloudRecord record: MagicCloudRecord) throws {
    self.init()
    try apply(record, nil)
  }

  func apply(_ record: MagicCloudRecord, _ reader: (any EngineReader)?) throws {
    let schema = try ObjectSchema.of(Self.self)
    let values = try MagicRecord<Self>(cloudRecord: record)
    let assignments = try schema.withReference(to: self) { object in
      for (index, property) in schema.recordedProperties.enumerated() {
        guard let property, values.entries[index] == nil, index != schema.version,
          property.entry(of: object.property(index), isSaved: true) == nil
        else { continue }
        throw MagicCloudError.missingField(type: schema.typeName, property: property.property)
      }
      return try schema.cloudFiles.map { index, column in
        try schema.fileAssignment(column, record, to: object.property(index))
      }
    }
    try apply(values, reader)
    for assign in assignments { assign() }
  }
}

extension AsyncMagicDatabaseReader {
  /// Sets the properties of an object to the values of a record of CloudKit. The objects to which the
  /// record refers are fetched from one snapshot. The object is not saved; the files of its assets are
  /// copied when it is.
  ///
  /// ```swift
  /// let id = try MagicID<Song>(cloudRecordName: record.recordName)
  /// let song: Song
  /// do {
  ///   song = try await magic.object(with: id)
  /// } catch let error as MagicError where error.code == .notFound {
  ///   song = Song()
  /// }
  /// try await magic.apply(cloudRecord: record, to: song)
  /// try await magic.update(song)
  /// ```
  ///
  /// Without a field, a property that may be nil becomes nil, a collection becomes empty, and an asset has
  /// no value. Any other property keeps its value.
  ///
  /// - Throws: ``MagicCloudError`` for a record that is not one of the type, and `MagicError` as
  ///   for a ``MagicRecord``: `.notFound` if an object of a relationship does not
  ///   exist. Then no property was set.
  public func apply<Model: MagicObject>(
    cloudRecord record: MagicCloudRecord, to object: Model
  ) async throws {
    try await _read { access in
      try access.reader.inSnapshot { try object.apply(record, access.reader) }
    }
  }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// Like the asynchronous `apply(cloudRecord:to:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func apply<Model: MagicObject>(
    cloudRecord record: MagicCloudRecord, to object: Model
  ) throws {
    try _read { access in
      try access.reader.inSnapshot { try object.apply(record, access.reader) }
    }
  }
}

extension ObjectSchema {
  /// The columns of assets that are not lazy, with their places.
  fileprivate var cloudFiles: [(index: Int, column: any CloudFileProperty)] {
    columns.enumerated().compactMap { index, column in
      (column as? any CloudFileProperty).map { (index, $0) }
    }
  }

  fileprivate func fileAssignment(
    _ column: any CloudFileProperty, _ record: MagicCloudRecord, to property: PropertyReference
  ) throws -> () -> Void {
    switch record.fields[column.property] ?? .null {
    case .null: return column.assignment(of: nil, pathExtension: nil, to: property)
    case .file(let url):
      var pathExtension = ""
      if case .text(let text) = record.fields[CloudField.extensionName(column.property)] {
        pathExtension = text
      }
      return column.assignment(
        of: url, pathExtension: pathExtension.isEmpty ? nil : pathExtension, to: property)
    case let value:
      throw MagicCloudError.invalidField(
        type: typeName, property: column.property,
        reason: CloudFieldProblem(value, needs: "a file").reason)
    }
  }
}
