import Magical

/// What is known of an object type: its table, and where its properties lie in an instance.
///
/// Made once per type, by looking at one instance.
@usableFromInline
package final class ObjectSchema: TypeLayout, @unchecked Sendable {
  package let type: any MagicObject.Type
  /// The type's name without its module.
  package let typeName: String
  package let tableName: String
  /// The names that the table had before.
  package let formerTableNames: [String]
  /// The type's own steps from one version of its table to the next.
  package let migrations: Migrations
  /// The type's name with its module, for messages about two types of one name.
  package var qualifiedName: String { TypeName.qualified(type) }
  /// The properties that are columns of the table.
  package let columns: [ColumnSchema]
  /// The columns that refer to other rows, by their places.
  package let toOnes: [(column: Int, schema: ToOneColumn)]
  /// The columns that hold names of files, by their places.
  package let fileColumns: [Int]
  /// The properties that are collections of objects; the slots behind the columns' are theirs.
  package let collections: [CollectionColumn]
  /// The properties that refer back along other types' relationships; they have no slots.
  package let reverses: [ReverseProperty]
  /// The places of properties that are fetched when they are asked for, columns and collections.
  package let lazies: [Int]
  /// Whether there are such.
  package let hasLazies: Bool
  package let indexes: [IndexSchema]
  /// The column of the `@PrimaryMagicValue`.
  package let primary: Int?
  /// Numbers the types of this process, so that what belongs to a type is found by position.
  package let ordinal: Int

  /// What the loops over rows need of each column, without a reference to count.
  package let plans: [ColumnPlan]
  /// An object whose properties are the templates.
  let template: any MagicObject
  let resolution = Resolution()

  /// - Parameters:
  ///   - template: an object whose properties are the templates of `columns`, `collections` and
  ///     `reverses`.
  ///   - offsets: where these lie in an instance, in that order.
  init<Model: MagicObject>(
    template: Model, columns: [ColumnSchema], collections: [CollectionColumn],
    reverses: [ReverseProperty], indexes: [IndexSchema], migrations: Migrations, isClass: Bool,
    offsets: [Int], ordinal: Int
  ) {
    let type = Model.self
    self.type = type
    self.ordinal = ordinal
    self.template = template
    self.columns = columns
    toOnes = columns.indices.compactMap { column in
      (columns[column] as? ToOneColumn).map { (column, $0) }
    }
    fileColumns = columns.indices.filter { columns[$0].isFile }
    self.collections = collections
    self.reverses = reverses
    self.indexes = indexes
    plans = columns.map {
      ColumnPlan(codec: $0.codec, packing: $0.packing, isNullable: $0.isNullable)
    }
    typeName = TypeName.unqualified(type)
    tableName = Model.tableName
    formerTableNames = Model.wasNamed
    self.migrations = migrations
    primary = columns.firstIndex { $0.role == .primary }
    let slots: [PropertySchema] = columns + collections
    lazies = slots.indices.filter { slots[$0].isLazy }
    hasLazies = !lazies.isEmpty
    super.init(
      isClass: isClass,
      isDense: !isClass
        && MemoryLayout<Model>.size == offsets.count * MemoryLayout<PropertyReference>.size,
      offsets: offsets,
      layout: RowLayout(
        columnCount: columns.count, slotCount: slots.count,
        objectSlots: slots.indices.filter { slots[$0].packing == .object },
        hasLazyCollections: collections.contains(where: \.isLazy)))
  }

  /// Everything the type declares, in the order of ``offsets``.
  var properties: [PropertySchema] { columns + collections + reverses }

  /// The property that is stored under a name.
  package func property(storedAs name: String) -> String? {
    (columns + collections).first { $0.name == name }?.property
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
        + ($0.isFile ? "\u{1F}file" : "")
    }
    let indexes = indexes.map { "\($0.name)\u{1F}\($0.isUnique)" }
    // A type without migrations is as it was before there were any.
    let version = migrations.version == 0 ? [] : ["\(migrations.version)"]
    return (columns + indexes + relationships + version).joined(separator: "\u{1E}")
  }

  private var relationships: [String] {
    toOnes.map { column in
      let target = (try? column.schema.target)?.tableName ?? ""
      return "\(column.schema.name)\u{1F}\(target)\u{1F}\(column.schema.deleteRule)"
    }
      + collections.map { column in
        let target = (try? column.target)?.tableName ?? ""
        let key = column.makeKeys()?.storageClass.rawValue ?? ""
        return "\(column.name)\u{1F}\(target)\u{1F}\(column.deleteRule)\u{1F}"
          + "\(column.kind)\u{1F}\(key)"
      }
  }
}
