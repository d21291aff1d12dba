package import MagicEngine
import MagicSQLite
import MagicSchema
package import SQLiteEngine
import SQLiteFiles
import SQLiteSearch
import SQLiteTables

/// Corrects the stored data about files, properties and search indexes to match the rows and tables, in
/// one transaction.
///
/// No file that a row refers to is deleted. If a listed column does not exist, its rows may exist
/// under another name; in that case no count is lowered.
package struct Repair {
  private let transaction: WriteTransaction
  private let cancellation: CancellationToken
  /// The maximum number of findings of each kind.
  private let limit: Int
  private var report = MagicReport()
  private var counts: [MagicFinding.Kind: Int] = [:]

  /// The search indexes that are known to be wrong.
  private let wrongIndexes: [WrongIndex]

  fileprivate typealias WrongIndex = (table: SearchTable, finding: MagicFinding)

  /// Ends an attempt that has found wrong search indexes. In its transaction nothing can be repaired: after
  /// an error of a damaged index, SQLite fails all later writes, or has rolled the transaction back. The
  /// next attempt does not read these indexes.
  package struct FoundWrongIndexes: Error {
    fileprivate let wrongIndexes: [WrongIndex]
  }

  /// - Parameters:
  ///   - transaction: a transaction without other writes.
  ///   - found: the error of the attempt before.
  /// - Returns: what was corrected.
  /// - Throws: ``FoundWrongIndexes`` if another attempt is necessary.
  package static func run(
    in transaction: WriteTransaction, after found: FoundWrongIndexes?, limit: Int,
    _ cancellation: CancellationToken
  ) throws -> MagicReport {
    try transaction.store.connection.withCancellationCheck({ cancellation.isCancelled }) {
      var repair = Repair(
        transaction: transaction, cancellation: cancellation, limit: limit,
        wrongIndexes: found?.wrongIndexes ?? [])
      try repair.run()
      return repair.report
    }
  }

  private init(
    transaction: WriteTransaction, cancellation: CancellationToken, limit: Int,
    wrongIndexes: [WrongIndex]
  ) {
    self.transaction = transaction
    self.cancellation = cancellation
    self.limit = limit
    self.wrongIndexes = wrongIndexes
  }

  private var connection: SQLiteConnection { transaction.store.connection }

  private mutating func run() throws {
    let descriptions = try PropertyDescriptions(on: connection)
    for fault in try descriptions.faults() {
      note(fault)
      try descriptions.delete(fault)
    }
    try repairCollations()
    try repairSearchIndexes()
    let found = try ReferencedFiles(on: connection)
    guard found.isCounted || !found.columns.isEmpty else { return }
    let table = AssetTable(connection: connection)
    try table.create()
    transaction.store.files.noteTableChange()
    for finding in found.repairable { note(finding) }
    let catalogue = Catalogue(connection: connection)
    for column in found.unlisted { try catalogue.enter(column) }
    for name in found.uncountedTables { try makeTriggers(of: name, found) }
    try correctCounts(ReferencedFiles(on: connection), table)
  }

  private mutating func repairCollations() throws {
    let catalogue = Catalogue(connection: connection)
    for name in try catalogue.changedCollations() {
      try catalogue.rebuildIndexes(withCollation: name)
      note(MagicFinding(collation: name))
    }
  }

  private mutating func repairSearchIndexes() throws {
    let catalogue = Catalogue(connection: connection)
    let indexes = transaction.store.searchIndexes
    var wrong = wrongIndexes
    let known = wrong.map(\.table)
    var unchecked: [MagicFinding] = []
    for table in try indexes.tables() where !known.contains(table) {
      let continues = try indexes.forEachFinding(of: table, catalogue) { finding in
        try cancellation.check()
        if finding.kind.isFault {
          wrong.append((table, finding))
        } else {
          unchecked.append(finding)
        }
        return false
      }
      if !continues { break }
    }
    guard wrong.count == known.count else { throw FoundWrongIndexes(wrongIndexes: wrong) }
    for finding in unchecked {
      note(finding)
      report.isComplete = false
    }
    for finding in try catalogue.missingSearchIndexes() {
      note(finding)
      guard let table = finding.table else { continue }
      if let schema = transaction.store.type(ofTable: table), let search = SearchTable(schema) {
        try create(search, indexes)
      } else {
        try catalogue.dropSearchLog(ofTable: table)
      }
      indexes.noteSchemaChange()
    }
    for (table, finding) in wrong {
      note(finding)
      try indexes.repair(table)
    }
  }

  /// Creates the index of a type whose full-text table does not exist, although other parts may.
  private func create(_ table: SearchTable, _ indexes: SearchIndexes) throws {
    try connection.savepoint {
      for statement in table.drop + table.create { try connection.execute(statement) }
      try indexes.fill(table)
    }
  }

  private func makeTriggers(of table: String, _ files: ReferencedFiles) throws {
    let columns = files.columns.filter { $0.table.isName(table) }.map(\.column)
    for step in AssetTriggers(table: table, columns: columns).steps {
      try connection.execute(step)
    }
  }

  private mutating func correctCounts(_ files: ReferencedFiles, _ table: AssetTable) throws {
    var wrong: [WrongCount] = []
    try files.forEachMiscounted {
      try cancellation.check()
      // Rows of a missing column may refer to the file too.
      if files.areComplete || $0.uses > $0.counted ?? 0 { wrong.append($0) }
      return true
    }
    for count in wrong {
      try cancellation.check()
      note(count.finding)
      if let name = count.name { try table.setCount(of: name, to: count.uses) }
    }
    guard files.areComplete else { return }
    try files.forEachUnnamed {
      try cancellation.check()
      note($0.finding)
      return true
    }
    try files.clearUnnamed()
  }

  private mutating func note(_ finding: MagicFinding) {
    counts[finding.kind, default: 0] += 1
    if counts[finding.kind, default: 0] <= limit {
      report.findings.append(finding)
    } else {
      report.isComplete = false
    }
  }
}
