import MagicEngine
import MagicSQLite
import MagicSchema
import MagicStore

extension StoreConnection {
  /// The object that a row's to-one leads to, with all it comes with; nil where the row is gone or
  /// leads nowhere.
  func target<Model: MagicObject>(of row: LazyRow, as type: Model.Type) throws -> Model? {
    try connection.snapshot {
      guard let statements = try statements(of: row.owner) else { return nil }
      let select = try statements.selectTarget(along: row.slot)
      try select.bind(row.zIndex, at: 1)
      defer { select.reset() }
      guard try select.step(), !select.column(0).isNull else { return nil }
      guard let target = select.column(0).rowKey else {
        throw MagicError.brokenReference(
          from: row.zIndex, of: row.owner, row.owner.columns[row.slot], to: nil)
      }
      select.reset()
      return try objects(of: type, ObjectSchema.of(type), at: [target])[0]
    }
  }

  /// The members of a row's collection in its order, with all they come with, and their keys; nil
  /// where the row is gone.
  func members<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type
  ) throws -> FetchedMembers<Model>? {
    try connection.snapshot {
      guard let statements = try statements(of: row.owner),
        let target = try self.statements(of: ObjectSchema.of(type)),
        let (column, links) = row.links(statements)
      else { return try hasRow(row) ? FetchedMembers(keys: makeKeys(row)) : nil }
      let select = try links.selectLinked(target)
      try select.bind(row.zIndex, at: 1)
      let members = try fetch(select, as: type, target, column, row)
      // Links go with their owner: only where there is none must be asked for it.
      return try !members.objects.isEmpty || hasRow(row) ? members : nil
    }
  }

  /// How many members a row's collection has; none where the row is gone.
  func countMembers(of row: LazyRow) throws -> Int {
    guard let statements = try statements(of: row.owner), let (_, links) = row.links(statements)
    else { return 0 }
    let count = try links.count
    defer { count.reset() }
    try count.bind(row.zIndex, at: 1)
    return try count.step() ? Int(count.column(0).integer) : 0
  }

  /// The member at a place that is chosen when their count is known; nil for no place.
  func member<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, at place: (Int) -> Int?
  ) throws -> FetchedMembers<Model>? {
    try connection.snapshot {
      guard let place = try place(countMembers(of: row)),
        let statements = try statements(of: row.owner),
        let target = try self.statements(of: ObjectSchema.of(type)),
        let (column, links) = row.links(statements)
      else { return nil }
      let select = try links.selectSome(target)
      try select.bind(row.zIndex, at: 1)
      try select.bind(Int64(1), at: 2)
      try select.bind(Int64(place), at: 3)
      return try fetch(select, as: type, target, column, row)
    }
  }

  private func hasRow(_ row: LazyRow) throws -> Bool {
    guard let hasRow = try statements(of: row.owner)?.hasRow else { return false }
    defer { hasRow.reset() }
    try hasRow.bind(row.zIndex, at: 1)
    return try hasRow.step()
  }

  private func makeKeys(_ row: LazyRow) -> (any LinkKeys)? {
    let index = row.slot - row.owner.columns.count
    return index >= 0 ? row.owner.collections[index].makeKeys() : nil
  }

  /// Reads the members of a statement, bound, that selects as
  /// ``LinkStatements/selectLinked(_:)`` does.
  ///
  /// - Parameter use: what becomes of a row; is called at every one with the member's z-index.
  func fetch<Model: MagicObject>(
    _ select: SQLiteStatement, as type: Model.Type, _ target: TypeStatements,
    _ column: CollectionColumn, _ row: LazyRow,
    use: (SQLiteStatement, Int64) -> FetchedRowUse = { _, _ in .take }
  ) throws -> FetchedMembers<Model> {
    defer { select.reset() }
    let width = target.schema.columns.count + 1
    let keys = column.makeKeys()
    var packer = RowPacker(schema: target.schema, store: self)
    // A member that is there twice is one instance.
    var directory = RowDirectory()
    var rows: [PackedRow] = []
    var cancellation = CancellationCheck()
    rows: while try select.step() {
      try cancellation.count()
      // By another position than a number a page would not find its way on.
      guard column.kind != .list || select.column(width + 1).type == .integer else {
        throw noPosition(row, column)
      }
      let member = select.column(width).integer
      switch use(select, member) {
      case .take: break
      case .pass: continue rows
      case .stop: break rows
      }
      guard !select.column(0).isNull else {
        throw MagicError.brokenReference(
          from: row.zIndex, of: row.owner, column, to: select.column(width).rowKey)
      }
      if let known = column.kind == .set ? nil : directory[member] {
        rows.append(known)
      } else {
        let new = try packer.append(select)
        rows.append(new)
        if column.kind != .set { directory.insert(new) }
      }
      try keys?.append(select.column(width + 1), of: column, row.owner, owner: row.zIndex)
    }
    select.reset()
    return FetchedMembers(
      objects: try made(type, of: packer.takeChunks(), target, in: rows), keys: keys)
  }

  private func noPosition(_ row: LazyRow, _ column: CollectionColumn) -> MagicError {
    MagicError(
      .cannotDecode, "A link of row \(row.zIndex) has a position that is no integer.",
      type: row.owner.typeName, property: column.property)
  }
}

/// What becomes of a member's row that was selected.
enum FetchedRowUse {
  case take, pass
  /// Neither this row nor those behind it are wanted.
  case stop
}

/// Members of a collection as they were fetched.
struct FetchedMembers<Model: MagicObject>: Sendable {
  let objects: [Model]
  /// Those of a dictionary.
  let keys: (any LinkKeys)?

  init(objects: [Model] = [], keys: (any LinkKeys)?) {
    self.objects = objects
    self.keys = keys
  }
}
