import MagicEngine
import MagicSchema

extension GraphLoader {
  /// Replaces the row IDs in the slots of a to-one relationship with the rows.
  mutating func loadToOne(_ relationship: Int, of owner: LoadedType) throws {
    let (column, property) = owner.schema.toOnes[relationship]
    let target = try type(property.target)
    let start = owner.loadedRowCounts[relationship]
    var unknown: [Int64] = []
    for row in owner.rows[start...] where !row.isNull(column) {
      let zIndex = row.slot(column).load(as: Int64.self)
      if target?.rowIndex[zIndex] == nil { unknown.append(zIndex) }
    }
    if let target, !unknown.isEmpty {
      let unknown = RowIDSet(unknown)
      if target === owner {
        // One query for the whole path, regardless of its length.
        try fetch(.reached(from: unknown, along: column), of: target) {
          target.rowIndex[$0] == nil
        }
      } else {
        try fetch(unknown, of: target)
      }
    }
    // This loop includes rows of the owner's own type that were fetched above.
    for row in owner.rows[start...] where !row.isNull(column) {
      let zIndex = row.slot(column).load(as: Int64.self)
      guard let found = target?.rowIndex[zIndex] else {
        throw MagicError.brokenReference(
          from: row.zIndex, of: owner.schema, property, to: zIndex)
      }
      row.slot(column).storeBytes(of: found, as: PackedRow.self)
      row.chunk.keep(found.chunk)
    }
    owner.loadedRowCounts[relationship] = owner.rows.count
  }
}
