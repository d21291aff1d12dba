import MagicEngine
import MagicSchema

extension ObjectImport {
  /// Reads and checks all records without saving them.
  func plan(_ reader: any EngineReader) throws -> MagicImportPlan {
    var plan = MagicImportPlan()
    var batch = PlannedBatch(reader, run.columns.dates)
    while true {
      do {
        guard let (place, record) = try run.readRecord(isPlan: true) else { break }
        if batch.count % ImportRun.batchSize == 0 { try Task.checkCancellation() }
        if run.isFull(batch.count, batch.size) { try check(&batch, &plan) }
        batch.count += 1
        let json = try run.converting(place) {
          ImportRun.Content.document(try run.columns.object(record, isPlan: true))
        }
        // The import counts the record as it was read.
        let size = if case .json(let read) = record { read.count } else { json.size }
        batch.size += size
        do {
          try read(json, place, batch.documents)
        } catch let error as MagicError
          where batch.count > 1 && !run.areRelated && Self.isRepetition(error)
        {
          // The record updates the object of an earlier one.
          batch.count -= 1
          try check(&batch, &plan, before: place.record)
          (batch.count, batch.size) = (1, size)
          try read(json, place, batch.documents)
        }
      } catch let error as MagicError {
        guard let fault = importError(error) else { throw error }
        batch.add(fault)
        if run.isBroken {
          // What cannot be read is one more record.
          batch.count += 1
          break
        }
      }
    }
    try check(&batch, &plan)
    plan.add(run.columns)
    return plan
  }

  /// Checks the objects of a batch, adds its records to the plan, and begins the next one.
  ///
  /// - Parameter end: the number of a record of which only a part was read; nil if there is none.
  private func check(
    _ batch: inout PlannedBatch, _ plan: inout MagicImportPlan, before end: Int? = nil
  ) throws {
    try batch.documents.check { error, path in
      let place = path?.record
      let fault =
        importError(error) ?? place.map { MagicImportError(at: $0, reason: error.message) }
      guard let fault else { throw error }
      if fault.record != end { batch.add(fault) }
    }
    plan.add(batch)
    batch = PlannedBatch(batch.documents.successor())
  }
}

/// The records of a plan that an import would save together.
private struct PlannedBatch {
  let documents: DocumentReader
  /// The number of records that were read.
  var count = 0
  /// The number of their bytes.
  var size = 0
  /// The first error of each record.
  private(set) var faults: [MagicImportError] = []
  private var failed: Set<Int> = []

  init(_ documents: DocumentReader) { self.documents = documents }
  init(_ reader: any EngineReader, _ dates: MagicImportDates) {
    documents = DocumentReader(reader, dates: dates.read)
  }

  /// The number of records without an error.
  var correctCount: Int { count - failed.count }

  mutating func add(_ fault: MagicImportError) {
    if failed.insert(fault.record).inserted { faults.append(fault) }
  }
}

extension MagicImportPlan {
  /// The number of errors that a plan names.
  private static let namedErrors = 20

  fileprivate mutating func add(_ batch: PlannedBatch) {
    records += batch.correctCount
    add(batch.faults.sorted { $0.record < $1.record })
  }

  mutating func add(_ faults: [MagicImportError]) {
    errorCount += faults.count
    errors += faults.prefix(max(0, Self.namedErrors - errors.count))
  }

  mutating func add(_ found: ImportColumns) {
    columns = found.columns.map { column in
      Column(
        name: column.name, property: column.property?.property, type: column.property?.typeName,
        values: column.values, isUnknown: column.property == nil && !column.isLeftOut)
    }
    properties = found.missing
    unlistedValues = found.unlistedValues
    hasUnlistedUnknown = found.hasUnlistedUnknown
  }
}
