import MagicSchema
import MagicSQLite

extension GraphSaver {
  /// The row a member is; nil where it is none any more.
  func row(of object: ObjectReference) -> Int64? {
    if isGone(object) { return nil }
    guard let identity = object.identity(inTransactionOf: transaction.store.token),
      identity.store == transaction.store.token
    else { return nil }
    return identity.zIndex.rawValue
  }

  /// Whether a fetched row's object is another row now than the one that was linked, or none.
  func isOther(_ row: PackedRow, than linked: Int64) -> Bool {
    guard let record = row.existingRecord else { return false }
    let token = transaction.store.token
    return record.identity(inTransactionOf: token)
      != RowIdentity(store: token, zIndex: ZIndex(rawValue: linked))
      || transaction.log.removes(record)
  }

  func noteWritten(_ target: Int64, of schema: ObjectSchema, in job: LinkJob) throws {
    try countLink()
    if transaction.hasInserted(target, schema) { return }
    trust(
      TrustedLink(
        owner: job.owner, zIndex: job.zIndex, property: job.property,
        place: .collection(job.collection), target: target))
  }

  /// Leaves out of a collection in memory what is gone, with the commit.
  func dropGone(from job: LinkJob) {
    let column = job.owner.collections[job.collection]
    transaction.log.drop { [self] in column.drop(from: job.property) { isGone($0) } }
  }

  /// Rows that were trusted to be there may have been removed by others: the links to them go, and
  /// no object is brought back.
  func dropBrokenLinks() throws {
    let links = takeTrusted()
    guard transaction.store.connection.hasViolations else { return }
    for link in links {
      let target: ObjectSchema
      switch link.place {
      case .toOne(let index): target = try link.owner.toOnes[index].schema.target
      case .collection(let index): target = try link.owner.collections[index].target
      }
      let statements = try transaction.statements(of: target)
      if try !transaction.hasRow(link.target, statements) { try drop(link) }
    }
  }

  private func drop(_ link: TrustedLink) throws {
    let store = transaction.store
    let zIndex = link.target
    let isGone: (ObjectReference) -> Bool = {
      $0.identity == RowIdentity(store: store.token, zIndex: ZIndex(rawValue: zIndex))
    }
    let statements = try transaction.statements(of: link.owner)
    switch link.place {
    case .toOne(let index):
      let (column, toOne) = link.owner.toOnes[index]
      guard toOne.isNullable else { throw missing(toOne, link.owner) }
      var changed = ColumnSet()
      changed.insert(column)
      let update = try statements.update(changed)
      try update.bindNull(at: 1)
      try update.bind(link.zIndex, at: 2)
      _ = try update.step()
      update.reset()
      transaction.log.note(toOne.noteSaved(nil, of: store.token, in: link.property))
      transaction.log.drop { toOne.clear(link.property, where: isGone) }
    case .collection(let index):
      let column = link.owner.collections[index]
      let delete = try statements.links[index].deleteTarget
      try delete.bind(link.zIndex, at: 1)
      try delete.bind(zIndex, at: 2)
      _ = try delete.step()
      delete.reset()
      transaction.log.drop {
        column.drop(from: link.property, where: isGone)
        column.releaseRetainCycle(link.property)
      }
    }
  }
}
