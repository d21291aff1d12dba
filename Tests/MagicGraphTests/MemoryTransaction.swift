import MagicEngine
import MagicGraph
import MagicSchema

/// A store of rows in dictionaries, with transactions that save objects into it.
///
/// It knows no SQL and no file. What is saved here and what is saved by SQLite must be the same.
final class MemoryStore {
  let token = StoreToken(rawValue: .random(in: 1 << 62 ... .max))
  fileprivate var tables: [Int: Table] = [:]
  /// The last transaction, while something keeps it.
  weak var lastTransaction: ObjectTransaction?
  /// The changes that were run, one line for each.
  var lines: [String] = []

  struct Table {
    /// The columns of each row, by its row ID.
    var rows: [Int64: [Value]] = [:]
    var lastRowID: Int64 = 0
    /// The members of each owner's collections, by the place of the collection.
    var members: [Int: [Int64: [Int64]]] = [:]
  }

  /// A value of a column.
  enum Value: Hashable {
    case null, integer(Int64), real(Double), text(String), blob([UInt8])
  }

  /// Runs a transaction, which is rolled back where the body throws.
  func transaction<Result>(_ body: (ObjectTransaction) throws -> Result) throws -> Result {
    let before = tables
    let objects = ObjectTransaction(MemoryTransaction(self), changeset: Changeset())
    lastTransaction = objects
    do {
      let result = try body(objects)
      objects.didCommit()
      return result
    } catch {
      tables = before
      objects.didRollBack()
      throw error
    }
  }

  func save<Model: MagicObject>(_ objects: Model...) throws {
    _ = try transaction { try $0.save(objects, ObjectSchema.of(Model.self)) }
  }

  func remove<Model: MagicObject>(_ objects: Model...) throws {
    try transaction { try $0.remove(objects, ObjectSchema.of(Model.self)) }
  }

  /// Removes rows as another program would.
  func drop<Model: MagicObject>(_ rowID: ZIndex?, of type: Model.Type) throws {
    guard let rowID else { return }
    tables[try ObjectSchema.of(type).ordinal]?.rows[rowID.rawValue] = nil
  }

  /// The rows of a type, by their row IDs.
  func rows<Model: MagicObject>(of type: Model.Type) throws -> [Int64: [Value]] {
    tables[try ObjectSchema.of(type).ordinal]?.rows ?? [:]
  }

  /// The members of an owner's first collection.
  func members<Model: MagicObject>(of owner: Model) throws -> [Int64] {
    guard let rowID = owner.zIndex?.rawValue else { return [] }
    return tables[try ObjectSchema.of(Model.self).ordinal]?.members[0]?[rowID] ?? []
  }
}

/// A transaction of a ``MemoryStore``.
private final class MemoryTransaction: EngineTransaction {
  private let store: MemoryStore
  private var lastPrimary: [Int: Int] = [:]

  init(_ store: MemoryStore) { self.store = store }

  var token: StoreToken { store.token }
  var reservesOneByOne: Bool { false }

  private func withTable<Result>(
    of schema: ObjectSchema, _ body: (inout MemoryStore.Table) throws -> Result
  ) rethrows -> Result {
    try body(&store.tables[schema.ordinal, default: MemoryStore.Table()])
  }

  func hasCurrentTable(of schema: ObjectSchema) -> Bool { store.tables[schema.ordinal] != nil }

  func updateTable(of schema: ObjectSchema) throws {
    withTable(of: schema) { _ in }
    for target in try schema.targets where !hasCurrentTable(of: target) {
      try updateTable(of: target)
    }
  }

  func reserveRowID(of schema: ObjectSchema, isAhead: Bool) -> Int64 {
    withTable(of: schema) {
      $0.lastRowID += 1
      return $0.lastRowID
    }
  }

  func nextPrimary(of schema: ObjectSchema, column: ColumnSchema) -> Int {
    lastPrimary[schema.ordinal, default: 0] += 1
    return lastPrimary[schema.ordinal, default: 0]
  }

  func rowID(
    ofPrimary field: Int, in values: FieldBuffer, _ schema: ObjectSchema
  ) -> Int64? {
    row(withPrimary: value(values[field], values), schema)
  }

  private func row(withPrimary value: MemoryStore.Value, _ schema: ObjectSchema) -> Int64? {
    guard let primary = schema.primary else { return nil }
    return withTable(of: schema) { $0.rows.first { $0.value[primary] == value }?.key }
  }

  func hasRow(_ rowID: Int64, of schema: ObjectSchema) -> Bool {
    withTable(of: schema) { $0.rows[rowID] != nil }
  }

  func apply(_ changes: Changeset) {
    let lines = changes.description.split(separator: "\n").map(String.init)
    for group in changes.groups {
      for place in group.rows {
        if let outcome = run(group, place, changes) {
          changes.add(outcome)
        } else {
          store.lines.append(lines[place])
        }
      }
    }
  }

  private func run(_ group: RowChanges, _ row: Int, _ changes: Changeset) -> RowOutcome? {
    let (schema, rowID) = (group.schema, changes.rowIDs[row])
    let first = group.field(ofRow: row)
    let values = (0..<group.width).map { value(changes.values[first + $0], changes.values) }
    switch group.operation {
    case .insert, .upsert:
      if group.operation == .upsert, let primary = schema.primary,
        let present = self.row(withPrimary: values[primary], schema)
      {
        withTable(of: schema) { $0.rows[present] = values }
        return .otherRow(row: row, rowID: present)
      }
      withTable(of: schema) { $0.rows[rowID] = values }
    case .update:
      guard hasRow(rowID, of: schema) else { return .missing(row: row) }
      for (column, value) in zip(group.columns.indices, values) {
        withTable(of: schema) { $0.rows[rowID]?[column] = value }
      }
    case .require:
      if !hasRow(rowID, of: schema) { return .missing(row: row) }
    case .delete:
      withTable(of: schema) { $0.rows[rowID] = nil }
    }
    return nil
  }

  private func value(_ field: Field, _ values: FieldBuffer) -> MemoryStore.Value {
    switch field.kind {
    case .null, .file: .null
    case .integer: .integer(field.integer)
    case .real: .real(field.real)
    case .text: .text(String(decoding: values.bytes(of: field), as: UTF8.self))
    case .largeText: .text(String(decoding: values.largeBytes(of: field), as: UTF8.self))
    case .blob: .blob(Array(values.bytes(of: field)))
    case .largeBlob: .blob(Array(values.largeBytes(of: field)))
    }
  }

  func apply(_ changes: [MemberChange]) {
    for change in changes {
      store.lines.append(change.description)
      withTable(of: change.owner) {
        $0.members[change.collection, default: [:]][change.ownerID] = change.after.targets
      }
      if change.column.kind == .list {
        change.after.positions = change.after.targets.indices.map { Int64($0) }
      }
    }
  }

  func storedMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> LinkSlice {
    let column = schema.collections[collection]
    let list = CollectionLinks(column, target: try column.target, keys: column.makeKeys())
    list.targets = withTable(of: schema) { $0.members[collection]?[owner] ?? [] }
    list.positions = list.targets.indices.map { Int64($0) }
    return LinkSlice(list, start: 0, count: list.targets.count)
  }

  var hasBrokenReferences: Bool { true }

  func removeMembers(
    _ members: [Int64], of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) {
    withTable(of: schema) { table in
      table.members[collection]?[owner]?.removeAll { members.contains($0) }
    }
  }

  func makeLease() -> StoreKeeper? { nil }
}
