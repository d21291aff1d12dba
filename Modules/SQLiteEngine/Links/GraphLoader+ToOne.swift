import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

extension GraphLoader {
  /// Leads the slots of a to-one, which hold z-indexes so far, to rows.
  mutating func loadToOne(_ relationship: Int, of owner: LoadedType) throws {
    let (column, property) = owner.schema.toOnes[relationship]
    let target = try type(property.target)
    let start = owner.done[relationship]
    var unknown: [Int64] = []
    for row in owner.rows[start...] where !row.isNull(column) {
      let zIndex = row.slot(column).load(as: Int64.self)
      if target?.directory[zIndex] == nil { unknown.append(zIndex) }
    }
    if let target, !unknown.isEmpty {
      let unknown = RowList(unknown)
      if target === owner {
        try fetchReached(unknown, along: column, of: target)
      } else {
        try fetch(unknown, of: target)
      }
    }
    // Rows of the owner's own type that came just now are led on too.
    for row in owner.rows[start...] where !row.isNull(column) {
      let zIndex = row.slot(column).load(as: Int64.self)
      guard let found = target?.directory[zIndex] else {
        throw MagicError.brokenReference(
          from: row.zIndex, of: owner.schema, property, to: zIndex)
      }
      row.slot(column).storeBytes(of: found, as: PackedRow.self)
      row.chunk.keep(found.chunk)
    }
    owner.done[relationship] = owner.rows.count
  }

  /// Fetches rows and all that a to-one of their type to itself leads to, with one query.
  private func fetchReached(
    _ unknown: RowList, along column: Int, of type: LoadedType
  ) throws {
    let select = try type.statements.selectReached(along: column)
    try select.bind(unknown.json, at: 1)
    try pack(select, into: type) { type.directory[$0] == nil }
  }
}
