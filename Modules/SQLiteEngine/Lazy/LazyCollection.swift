import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// A collection of one row, and the statements that read its members.
struct LazyCollection {
  let row: LazyRow
  let column: CollectionColumn
  let links: LinkStatements
  let target: TypeStatements

  /// In the rows of ``LinkStatements/selectLinked(_:)`` the column of the target; position or key follow.
  private var targetIndex: Int { target.schema.columns.count + 1 }

  func target(in select: SQLiteStatement) -> Int64 { select.column(targetIndex).integer }

  /// The position of a list's link, or the key of a dictionary's.
  func key(in select: SQLiteStatement) -> SQLiteColumn { select.column(targetIndex + 1) }

  /// Reads the members of a statement, bound, that selects as ``LinkStatements/selectLinked(_:)`` does.
  ///
  /// - Parameter use: what to do with a link; is called at every one.
  func fetch<Model: MagicObject>(
    _ select: SQLiteStatement, as type: Model.Type, in store: StoreConnection,
    use: (SQLiteStatement) -> ListPlaceUse = { _ in .take }
  ) throws -> FetchedMembers<Model> {
    defer { select.reset() }
    let keys = column.makeKeys()
    var packer = RowPacker(schema: target.schema, store: store)
    // A member that is there twice is one instance.
    var directory = RowDirectory()
    var rows: [PackedRow] = []
    var cancellation = CancellationCheck()
    rows: while try select.step() {
      try cancellation.count()
      // A page continues behind the position of a link, which has to be an integer.
      guard column.kind != .list || key(in: select).type == .integer else { throw noPosition() }
      switch use(select) {
      case .take: break
      case .pass: continue rows
      case .stop: break rows
      }
      guard !select.column(0).isNull else {
        throw MagicError.brokenReference(
          from: row.zIndex, of: row.owner, column, to: select.column(targetIndex).rowKey)
      }
      let member = target(in: select)
      if let known = column.kind == .set ? nil : directory[member] {
        rows.append(known)
      } else {
        let new = try packer.append(select)
        rows.append(new)
        if column.kind != .set { directory.insert(new) }
      }
      try keys?.append(key(in: select), of: column, row.owner, owner: row.zIndex)
    }
    select.reset()
    return FetchedMembers(
      objects: try store.made(type, of: packer.takeChunks(), target, in: rows), keys: keys)
  }

  private func noPosition() -> MagicError {
    MagicError(
      .cannotDecode, "A link of row \(row.zIndex) has a position that is no integer.",
      type: row.owner.typeName, property: column.property)
  }
}

extension StoreConnection {
  /// The statements of a row's collection; nil where there is no table of its links.
  func links(of row: LazyRow) throws -> LinkStatements? {
    guard let index = row.collectionIndex, let statements = try statements(of: row.owner),
      statements.links[index].exists
    else { return nil }
    return statements.links[index]
  }

  /// A row's collection; nil where a table of it is missing.
  func collection<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type
  ) throws -> LazyCollection? {
    guard let links = try links(of: row), let target = try statements(of: ObjectSchema.of(type))
    else { return nil }
    return LazyCollection(row: row, column: links.column, links: links, target: target)
  }
}
