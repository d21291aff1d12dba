import MagicEngine
import MagicGraph
import MagicSchema

/// An import of records as objects of a type.
struct ObjectImport<Model: MagicObject> {
  let run: ImportRun
  let schema: ObjectSchema

  /// Opens a file.
  ///
  /// - Throws: `MagicError`.
  init(_ file: MagicImport<Model>) throws {
    schema = try ObjectSchema.of(Model.self)
    run = try ImportRun(
      file.file, typeName: schema.typeName, targets: ImportTarget.all(of: DocumentLayout(schema)))
  }

  /// Saves records.
  ///
  /// - Throws: `MagicError`. The caller must then roll back the transaction or its savepoint.
  func save(_ batch: ImportRun.Batch, in transaction: ObjectTransaction) throws {
    var rest = batch[...]
    do {
      while !rest.isEmpty { rest = rest.dropFirst(try saveFirst(of: rest, in: transaction)) }
    } catch let error as MagicError {
      throw located(error, batch)
    }
  }

  /// Saves the records before the first one that contains the object of an earlier one, which it updates
  /// as it would update a stored object.
  ///
  /// - Returns: the number of records that were saved.
  private func saveFirst(
    of records: ImportRun.Batch.SubSequence, in transaction: ObjectTransaction
  ) throws -> Int {
    var records = records
    while true {
      let reader = DocumentReader(transaction.engine.reader, dates: run.columns.dates.read)
      defer { reader.release() }
      if let count = try readDistinct(records, reader) {
        // The reader has a part of the record with the repeated object.
        records = records.prefix(count)
      } else {
        try transaction.discardingObjects { try reader.save(in: transaction) }
        return records.count
      }
    }
  }

  /// Reads records up to the first one that contains the object of an earlier one.
  ///
  /// - Returns: the number of records before it; nil if there is none.
  private func readDistinct(
    _ records: ImportRun.Batch.SubSequence, _ reader: DocumentReader
  ) throws -> Int? {
    for (count, record) in records.enumerated() {
      do {
        try read(record.content, record.place, reader)
      } catch let error as MagicError {
        // Records that refer to each other are not saved one after the other.
        guard count > 0, !run.areRelated, Self.isRepetition(error) else { throw error }
        return count
      }
    }
    return nil
  }

  static func isRepetition(_ error: MagicError) -> Bool {
    (error.cause as? MagicJSONError)?.reason == .duplicateObject
  }

  func read(
    _ content: ImportRun.Content, _ record: RecordPlace, _ reader: DocumentReader
  ) throws {
    let place = ReadPlace(path: .record(record), isDocument: true)
    let member =
      switch content {
      case .document(let json):
        try json.withUnsafeBytes { try reader.member($0, of: schema, at: place) }
      case .columns(let json):
        try run.converting(record) {
          try json.withUnsafeBytes {
            try reader.member($0, of: schema, at: place) {
              try run.columns.member($0, $1, isPlan: false)
            }
          }
        }
      }
    guard case .entry = member else {
      throw place.path.error(.wrongType, "a record is a reference", schema)
    }
  }

  /// Returns an error with the line and the column that it concerns, and with the record at which the import can
  /// continue.
  func located(_ error: MagicError, _ batch: ImportRun.Batch) -> MagicError {
    if error.cause is MagicImportError { return error }
    if let fault = importError(error) { return run.error(fault) }
    return failed(error, batch) { last in
      "a record between this line and line \(last) cannot be saved: \(error.message)"
    }
  }

  /// Returns the error of a batch whose commit has failed.
  func uncommitted(_ error: MagicError, _ batch: ImportRun.Batch) -> MagicError {
    if error.cause is MagicImportError { return error }
    return failed(error, batch) { last in
      error.code == .uncertain
        ? "it is not known whether the records up to line \(last) are stored: \(error.message)"
        : "the records up to line \(last) cannot be committed: \(error.message)"
    }
  }

  private func failed(
    _ error: MagicError, _ batch: ImportRun.Batch, _ reason: (Int) -> String
  ) -> MagicError {
    let first = batch.first?.place ?? RecordPlace(record: 1, line: 1)
    let last = batch.last?.place.line ?? first.line
    let fault = run.continuing(MagicImportError(at: first, reason: reason(last)))
    return MagicError(
      error.code, "The file cannot be imported: \(fault).", type: error.type ?? schema.typeName,
      property: error.property, cause: fault, plan: error.plan, conflict: error.conflict)
  }

  /// Returns the error of a record; nil if an error does not say which one it concerns.
  func importError(_ error: MagicError) -> MagicImportError? {
    guard let cause = error.cause as? MagicJSONError, let place = cause.record else {
      return error.cause as? MagicImportError
    }
    let column = run.columns.columns.first { $0.property?.key == cause.key }
    return MagicImportError(at: place, column: column?.name ?? cause.key, reason: cause.message)
  }
}
