import Magical

/// What is known of an object type: its table, and where its properties lie in an instance.
///
/// Made once per type, by looking at one instance.
package final class ObjectSchema: @unchecked Sendable {
  package let type: any MagicObject.Type
  /// The type's name without its module.
  package let typeName: String
  package let tableName: String
  /// The type's name with its module, for messages about two types of one name.
  package var qualifiedName: String { TypeName.qualified(type) }
  package let columns: [ColumnSchema]
  package let indexes: [IndexSchema]
  /// The column of the `@PrimaryMagicValue`.
  package let primary: Int?
  package let layout: RowLayout
  /// Numbers the types of this process, so that what belongs to a type is found by position.
  package let ordinal: Int

  /// Whether an instance is a reference to where its properties lie.
  package let isClass: Bool
  /// Whether an instance consists of its magic properties and nothing else, so that one can be
  /// made without `init()`.
  let isDense: Bool
  /// What the loops over rows need of each column, without a reference to count.
  package let plans: [ColumnPlan]

  init<Model: MagicObject>(
    _ type: Model.Type, ordinal: Int, columns: [ColumnSchema], indexes: [IndexSchema],
    offsets: [Int], isClass: Bool
  ) {
    self.type = type
    self.ordinal = ordinal
    self.columns = columns
    self.indexes = indexes
    plans = zip(columns, offsets).map { column, offset in
      ColumnPlan(
        codec: column.codec, packing: column.packing, isNullable: column.isNullable,
        offset: offset)
    }
    self.isClass = isClass
    typeName = TypeName.unqualified(type)
    tableName = Model.tableName
    primary = columns.firstIndex { $0.role == .primary }
    layout = RowLayout(
      columnCount: columns.count,
      objectColumns: columns.indices.filter { columns[$0].packing == .object })
    isDense =
      !isClass && MemoryLayout<Model>.size == columns.count * MemoryLayout<PropertyReference>.size
  }

  /// Names the shape of the table, so that a type whose table is up to date is known at a glance.
  package var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in shape.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private var shape: String {
    let columns = columns.map {
      "\($0.name)\u{1F}\($0.storageClass.rawValue)\u{1F}\($0.isNullable)\u{1F}\($0.role == .primary)"
    }
    let indexes = indexes.map { "\($0.name)\u{1F}\($0.isUnique)" }
    return (columns + indexes).joined(separator: "\u{1E}")
  }
}
