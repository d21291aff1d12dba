import MagicEngine
import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLTables

/// Collects the observed changes of one transaction.
struct TransactionChanges {
  let filter: ObservationFilter
  private var tables: [UInt32: Table] = [:]
  private var unknown: Set<String> = []
  private var others: Set<String> = []
  private(set) var hasChanges = false
  private var isIncomplete = false
  /// The number of digests and rows that may be in memory. The rows of larger transactions are not
  /// known.
  private let budget: Int
  private var cost = 0

  fileprivate struct Table {
    let roles: TableRoles
    var rows = NetChanges<Int64>()
    var links: [NetChanges<LinkKey>]
  }

  struct LinkKey: Hashable {
    let owner: Int64
    let part: ValueDigest
  }

  init(_ filter: ObservationFilter, budget: Int = 8_000_000) {
    self.filter = filter
    self.budget = budget
  }

  // MARK: Adding

  /// Adds the change of a row.
  ///
  /// - Throws: ``MalformedMessage`` if the rows do not have the columns of the table.
  mutating func add(
    _ old: StreamedRow?, _ new: StreamedRow?, _ roles: TableRoles
  ) throws {
    hasChanges = true
    guard roles.isObserved else { return }
    let count = roles.relation.columns.count
    guard (old?.values.count ?? count) == count, (new?.values.count ?? count) == count else {
      throw MalformedMessage("A row has another number of columns than its table.")
    }
    let number = roles.relation.number
    guard roles.unreadable == nil else { return setUnknown(roles) }
    // Without the old row, it is not known which columns have changed.
    guard old?.isComplete ?? true, old != nil || new.map(Self.hasAllValues) ?? true else {
      return setUnknown(roles)
    }
    if roles.isPlain { others.insert(roles.relation.name.folded) }
    guard roles.rows != nil || !roles.links.isEmpty, !isIncomplete else { return }
    var table =
      tables.removeValue(forKey: number)
      ?? Table(roles: roles, links: roles.links.map { _ in NetChanges() })
    let before = table.cost
    if let rows = roles.rows { Self.add(old, new, roles.relation, rows, to: &table.rows) }
    for (place, link) in roles.links.enumerated() {
      Self.add(old, new, roles.relation, link, to: &table.links[place])
    }
    cost += table.cost - before
    tables[number] = table
    if cost > budget { setIncomplete() }
  }

  /// Marks a table as changed in unknown rows: it was truncated, or its schema was changed.
  mutating func setUnknown(_ roles: TableRoles) {
    hasChanges = true
    if let name = roles.unreadable { unknown.insert(name) }
    if let rows = roles.rows { unknown.insert(rows.type.names.table.folded) }
    for link in roles.links {
      others.insert(link.name)
      if let type = link.type { unknown.insert(type.names.table.folded) }
    }
    if roles.isPlain { others.insert(roles.relation.name.folded) }
  }

  /// Marks the changes of a transaction with too many rows as unknown.
  mutating func setIncomplete() {
    hasChanges = true
    isIncomplete = true
    tables = [:]
    cost = 0
  }

  /// Notes that the transaction has changed something, for observers of every commit.
  mutating func setChanged() { hasChanges = true }

  private static func hasAllValues(_ row: StreamedRow) -> Bool {
    !row.values.contains { if case .unchanged = $0 { true } else { false } }
  }

  private static func digests(
    _ row: StreamedRow, _ old: StreamedRow?, _ relation: OutputMessage.Relation, _ columns: [Int]
  ) -> [ValueDigest] {
    columns.map { column in
      var value = row.values[column]
      if case .unchanged = value, let old { value = old.values[column] }
      return ValueDigest(value, type: relation.columns[column].type)
    }
  }

  private static func integer(_ row: StreamedRow, _ old: StreamedRow?, _ column: Int) -> Int64? {
    switch row.values[column] {
    case .bytes(let bytes): PostgreSQLValue(bytes: bytes).integer
    case .unchanged: old.flatMap { integer($0, nil, column) }
    case .null: nil
    }
  }

  private static func add(
    _ old: StreamedRow?, _ new: StreamedRow?, _ relation: OutputMessage.Relation,
    _ roles: TableRoles.Rows, to changes: inout NetChanges<Int64>
  ) {
    if let old, let rowID = integer(old, nil, roles.rowID) {
      changes.remove(rowID) { digests(old, nil, relation, roles.columns) }
    }
    if let new, let rowID = integer(new, old, roles.rowID) {
      changes.insert(rowID) {
        digests(new, old, relation, roles.columns)
      } identity: {
        digests(new, old, relation, roles.identity.map { roles.columns[$0] })
      }
    }
  }

  private static func add(
    _ old: StreamedRow?, _ new: StreamedRow?, _ relation: OutputMessage.Relation,
    _ link: TableRoles.Links, to changes: inout NetChanges<LinkKey>
  ) {
    func key(_ row: StreamedRow, _ old: StreamedRow?) -> LinkKey? {
      // An object of a join type without an owner is in no collection.
      integer(row, old, link.ownerColumn).map {
        LinkKey(owner: $0, part: digests(row, old, relation, [link.part])[0])
      }
    }
    if let old, let key = key(old, nil) {
      changes.remove(key) { digests(old, nil, relation, link.others) }
    }
    if let new, let key = key(new, old) {
      changes.insert(key) {
        digests(new, old, relation, link.others)
      } identity: {
        []
      }
    }
  }

  // MARK: Ending

  /// Returns the observed changes; nil if there are none.
  ///
  /// - Parameters:
  ///   - altered: the tables whose schema the transaction has changed.
  ///   - findPrimaries: completes the primaries and keys of rows that only their collections have
  ///     changed.
  func finish(
    altered: [String] = [], isExternal: Bool,
    findPrimaries: (inout TableChanges, TableRoles.ObservedType) throws -> Void = { _, _ in }
  ) rethrows -> CommittedChanges? {
    var changes = CommittedChanges()
    changes.isExternal = isExternal
    changes.isUnknown = isIncomplete
    (changes.unknown, changes.others) = (unknown, others)
    for table in altered.map(\.folded)
    where filter.isAllTypes || filter.types.contains(table) || filter.tables.contains(table) {
      changes.unknown.insert(table)
    }
    var types: [String: TableRoles.ObservedType] = [:]
    for table in tables.values {
      guard let rows = table.roles.rows else { continue }
      let own = table.makeChanges(rows)
      if !own.isEmpty { changes.tables[own.names.table.folded] = own }
    }
    for table in tables.values {
      for (link, net) in zip(table.roles.links, table.links) {
        let owners = Set(net.rows.lazy.filter { $0.value.isChanged }.map { $0.key.owner })
        guard !owners.isEmpty else { continue }
        changes.others.insert(link.name)
        guard let type = link.type else { continue }
        var columns = ColumnSet()
        if let collection = link.collection {
          columns.insert(type.names.columns.count + collection)
        }
        let updates = owners.sorted().map { RowChange(.updated, $0, columns: columns) }
        let name = type.names.table.folded
        changes.tables[name, default: type.noChanges].update(updates)
        types[name] = type
      }
    }
    for (name, type) in types {
      if var own = changes.tables.removeValue(forKey: name) {
        try findPrimaries(&own, type)
        changes.tables[name] = own
      }
    }
    return changes.isEmpty && !(filter.isAny && hasChanges) ? nil : changes
  }
}

extension TransactionChanges.Table {
  fileprivate var cost: Int { links.reduce(rows.cost) { $0 + $1.cost } }

  fileprivate func makeChanges(_ roles: TableRoles.Rows) -> TableChanges {
    var keys: [Int64: KeyDigests] = [:]
    var found: [RowChange] = []
    for (rowID, row) in rows.rows {
      guard let change = Self.change(rowID, row, roles) else { continue }
      found.append(change)
      if !roles.key.isEmpty {
        let first = roles.primary == nil ? 0 : 1
        keys[rowID] = KeyDigests(
          old: row.old.map { old in roles.key.map { old[$0] } } ?? [],
          new: row.new.map { new in
            row.old == nil ? Array(new[first...]) : roles.key.map { new[$0] }
          } ?? [])
      }
    }
    found.sort { $0.zIndex < $1.zIndex }
    var changes = roles.type.noChanges
    changes.update(found)
    changes.add(keys: keys)
    return changes
  }

  private static func change(
    _ rowID: Int64, _ row: NetChanges<Int64>.Row, _ roles: TableRoles.Rows
  ) -> RowChange? {
    var change: RowChange
    switch (row.old, row.new) {
    case (nil, nil): return nil
    case (nil, _): change = RowChange(.inserted, rowID)
    case (_, nil): change = RowChange(.deleted, rowID)
    case (let old?, let new?):
      var columns = ColumnSet()
      for index in old.indices where old[index] != new[index] { columns.insert(index) }
      guard !columns.isEmpty else { return nil }
      change = RowChange(.updated, rowID, columns: columns)
    }
    if roles.isRowIDPrimary {
      let digest = ValueDigest(integer: rowID)
      if row.old != nil { change.oldPrimary = digest }
      if row.new != nil { change.newPrimary = digest }
    } else if let primary = roles.primary {
      change.oldPrimary = row.old?[primary]
      change.newPrimary = row.new.map { $0[row.old == nil ? 0 : primary] }
    }
    return change
  }
}

extension TableRoles.ObservedType {
  /// Changes without rows.
  fileprivate var noChanges: TableChanges {
    TableChanges(
      names: names, rows: [], hasRecordedPrimaries: primary != nil, keys: key.isEmpty ? nil : [:])
  }
}
