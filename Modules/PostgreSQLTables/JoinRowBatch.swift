package import MagicEngine
package import MagicPostgreSQL
package import MagicSchema
import Magical

/// New join rows of one table, which are inserted by one COPY.
package final class JoinRowBatch {
  package let owner: ObjectSchema
  package let column: CollectionColumn
  private let sql: String
  private let fields = PostgreSQLFields()
  private var count = 0

  package init(_ table: String, _ link: LinkNames, _ change: MemberChange) {
    owner = change.owner
    column = change.column
    let names = ["\"owner\"", "\"target\""] + (link.key.map { [$0] } ?? [])
    sql = "COPY \(table.quoted) (\(names.joined(separator: ", "))) FROM STDIN (FORMAT binary)"
  }

  package var isFull: Bool { fields.byteCount > 1 << 20 }

  /// Appends all members of a new owner.
  package func append(_ change: MemberChange) throws {
    let after = change.after
    guard !after.targets.isEmpty else { return }
    if column.kind == .list {
      after.positions = try ListWriter.positions(after.targets.count, after: 0)
    }
    if count == 0 { fields.appendCopyHeader() }
    for (index, target) in after.targets.enumerated() {
      fields.beginCopyRow(column.kind == .set ? 2 : 3)
      fields.append(integer: change.ownerID)
      fields.append(integer: target)
      switch column.kind {
      case .list: fields.append(integer: after.positions[index])
      case .set: break
      case .dictionary: try change.encode(index, of: after, to: fields)
      }
    }
    count += after.targets.count
  }

  /// Inserts the rows, and empties the batch.
  package func send(on connection: PostgreSQLConnection) throws {
    guard count > 0 else { return }
    fields.appendCopyTrailer()
    defer {
      fields.removeAll()
      count = 0
    }
    try connection.copy(sql, in: fields)
  }
}

extension MemberChange {
  /// Appends the key of a member of a dictionary.
  ///
  /// - Throws: `MagicError` with `.cannotEncode`.
  func encode(_ index: Int, of list: LinkList, to fields: PostgreSQLFields) throws {
    do {
      var writer = ParameterWriter(fields)
      try list.keys?.write(index, to: &writer)
    } catch let error as MagicalError {
      throw MagicError(error, schema: owner, collection: column, row: ownerID)
    }
  }
}
