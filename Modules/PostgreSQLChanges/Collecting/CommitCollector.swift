import MagicEngine
import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLEngine
import PostgreSQLTables

/// Converts the changes of transactions, one after the other, for the observers of a database. Used by
/// the thread of the publisher.
final class CommitCollector {
  let context: PublisherContext
  /// The transaction whose changes are being added.
  private var transaction: TransactionChanges?
  private var generation: UInt64 = 0
  private var catalogue = StreamCatalogue()
  private var relations: [UInt32: OutputMessage.Relation] = [:]
  private var roles: [UInt32: TableRoles] = [:]
  /// The filter and the catalogue with which the roles were determined.
  private var filter = ObservationFilter()
  private let connection: () throws -> PostgreSQLConnection

  /// - Parameter connection: returns a connection for lookups, which it opens if necessary.
  init(_ context: PublisherContext, _ connection: @escaping () throws -> PostgreSQLConnection) {
    self.context = context
    self.connection = connection
  }

  var isInTransaction: Bool { transaction != nil }

  /// Whether the transaction has changes that were not published.
  var hasChanges: Bool { transaction?.hasChanges ?? false }

  // MARK: Catalogue

  /// Reads the catalogue of the database.
  func readCatalogue() throws {
    catalogue = try StreamCatalogue(on: connection(), after: catalogue)
    roles = [:]
  }

  /// The table with an object identifier, as the catalogue describes it.
  func table(_ number: UInt32) throws -> OutputMessage.Relation? {
    if let table = catalogue.tables[number] { return table }
    try readCatalogue()
    return catalogue.tables[number]
  }

  /// Whether the catalogue describes a table as the server does.
  func knows(_ relation: OutputMessage.Relation) -> Bool {
    catalogue.tables[relation.number] == relation
  }

  /// Sets the description of a table. Its changes are unknown if it was known with other columns.
  func set(_ relation: OutputMessage.Relation) throws {
    let last = relations.updateValue(relation, forKey: relation.number)
    if last == relation { return }
    if !knows(relation) { try readCatalogue() }
    roles[relation.number] = nil
    if last != nil, let roles = try roles(of: relation.number) {
      transaction?.setUnknown(roles)
    }
  }

  private func roles(of number: UInt32) throws -> TableRoles? {
    if let known = roles[number] { return known }
    guard let relation = relations[number] else { return nil }
    let found = TableRoles(relation, filter, catalogue, context)
    roles[number] = found
    return found
  }

  // MARK: Transactions

  func begin() {
    let (filter, generation) = context.feed.recordingFilter()
    self.generation = generation
    if filter != self.filter {
      self.filter = filter
      roles = [:]
    }
    transaction = TransactionChanges(filter)
  }

  /// Adds the change of a row.
  ///
  /// - Throws: ``MalformedMessage``.
  func add(_ old: StreamedRow?, _ new: StreamedRow?, of table: UInt32) throws {
    guard transaction != nil else {
      throw MalformedMessage("A row was changed outside of a transaction.")
    }
    guard let roles = try roles(of: table) else {
      throw MalformedMessage("A row belongs to a table without a description.")
    }
    try transaction?.add(old, new, roles)
  }

  func truncate(_ table: UInt32) throws {
    if let roles = try roles(of: table) { transaction?.setUnknown(roles) }
  }

  /// Marks the changes of the transaction as unknown.
  func setIncomplete() { transaction?.setIncomplete() }

  /// Ends the transaction. Its changes were published.
  func end() { transaction = nil }

  /// Publishes the changes of the transaction, or of a write in it.
  ///
  /// - Parameters:
  ///   - altered: the tables whose schema was changed.
  ///   - isExternal: whether another process has made them.
  func publish(altered: [String], isExternal: Bool) throws {
    guard var transaction else { return }
    self.transaction = nil
    if !altered.isEmpty { transaction.setChanged() }
    let changes = try transaction.finish(altered: altered, isExternal: isExternal) {
      try findPrimaries(&$0, $1)
    }
    let filter = transaction.filter
    if isExternal, changes != nil { try context.advanceReplica(on: connection()) }
    context.feed.publish(
      changes,
      known: RecordingScope(
        generation: generation, filter: filter.isEmpty ? nil : RecordingScope.Shared(filter)))
  }

  /// Reads the primaries and keys of rows that only their collections have changed.
  private func findPrimaries(
    _ changes: inout TableChanges, _ type: TableRoles.ObservedType
  ) throws {
    if type.primary == StreamCatalogue.rowID {
      changes.findPrimaries { ValueDigest(integer: $0) }
    }
    let primary = type.primary ?? ""
    let needsPrimaries = changes.isMissingPrimaries && !primary.isEmpty
    guard needsPrimaries || !type.key.isEmpty else { return }
    let columns = (needsPrimaries ? [primary] : []) + type.key
    let list = columns.map(\.quoted).joined(separator: ", ")
    let fields = PostgreSQLFields()
    fields.append(integers: changes.rows.lazy.filter { $0.kind == .updated }.map(\.zIndex))
    let result = try connection().run(
      PostgreSQLStatement(
        "SELECT \"z_index\", \(list) FROM \(type.names.table.quoted) WHERE \"z_index\" = ANY($1)",
        [.bigint.array]), fields)
    defer { withExtendedLifetime(result) {} }
    var found: [Int64: [ValueDigest]] = [:]
    for row in 0..<result.count {
      found[result.integer(row, 0)] = columns.indices.map { column in
        let value = result.value(row, column + 1).bytes.map { StreamedRow.Value.bytes($0) } ?? .null
        return ValueDigest(value, type: result.type(column + 1).oid)
      }
    }
    if needsPrimaries { changes.findPrimaries { found[$0]?.first } }
    changes.findKeys { found[$0].map { Array($0[(needsPrimaries ? 1 : 0)...]) } ?? [] }
  }
}
