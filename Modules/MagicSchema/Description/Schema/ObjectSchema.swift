import MagicRuntime
import Magical

/// The description of an object type: its table, and the offsets of its properties in an instance.
///
/// Created once for each type, by reflecting one instance.
@usableFromInline
package final class ObjectSchema: _TypeLayout, @unchecked Sendable {
  package let type: any MagicObject.Type
  /// The name of the type without its module.
  package let typeName: String
  package let tableName: String
  /// The former names of the table.
  package let formerTableNames: [String]
  /// The migration steps that the type declares.
  package let migrations: Migrations
  /// The properties that can be searched; nil if there are none.
  package let search: SearchSchema?
  /// The name of the type with its module, for messages about two types with the same name.
  package var qualifiedName: String { TypeName.qualified(type) }
  /// The properties that are columns of the table.
  package let columns: [ColumnSchema]
  /// The columns that refer to other rows, with their indexes.
  package let toOnes: [(column: Int, schema: ToOneColumn)]
  /// The indexes of the columns that contain file names.
  package let fileColumns: [Int]
  /// The properties that are collections of objects. Their slots follow the slots of the columns.
  package let collections: [CollectionColumn]
  /// The inverse relationships. They have no slots.
  package let reverses: [ReverseProperty]
  /// The slots of lazy properties, columns and collections.
  package let lazies: [Int]
  /// Whether the type has lazy properties.
  package let hasLazies: Bool
  /// The indexes of all rows over columns.
  let columnIndexes: [IndexSchema]
  /// The indexes over expressions and the partial indexes.
  let unresolvedIndexes: [UnresolvedIndex]
  /// Whether the type has indexes over expressions or partial indexes.
  package let hasComputedIndexes: Bool
  /// The indexes of the columns of the key, in its order. Empty for a type without a key.
  package let key: [Int]
  /// The index of the column of the `@PrimaryMagicValue`.
  package let primary: Int?
  /// The index of the primary's column if the store assigns its values by auto-increment; nil otherwise.
  package var autoIncrementPrimary: Int? {
    primary.flatMap { columns[$0].isAssignedByStore ? $0 : nil }
  }
  /// Whether the primary value is the row ID. The primary column is then the row ID's.
  package let hasRowIDPrimary: Bool
  /// The index of the column of the `@MagicVersion`.
  package let version: Int?
  /// The number of the type in this process, by which arrays with one element for each type are
  /// indexed.
  package let ordinal: Int

  /// The facts about each column that loops over rows need, without references to retain.
  package let plans: [ColumnPlan]
  /// The cases of each column that contains an enumeration.
  package let cases: [EnumerationCases?]
  /// An object whose properties are the templates of the descriptions.
  let template: any MagicObject
  let resolution = Resolution()

  /// - Parameters:
  ///   - template: an object whose properties are the templates of `columns`, `collections` and
  ///     `reverses`.
  ///   - offsets: the offsets of these properties in an instance, in that order.
  init<Model: MagicObject>(
    template: Model, columns: [ColumnSchema], collections: [CollectionColumn],
    reverses: [ReverseProperty], indexes: [IndexSchema], unresolvedIndexes: [UnresolvedIndex],
    key: [Int], migrations: Migrations, search: SearchSchema?, isClass: Bool, offsets: [Int],
    ordinal: Int
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
    columnIndexes = indexes
    self.unresolvedIndexes = unresolvedIndexes
    hasComputedIndexes = !unresolvedIndexes.isEmpty
    self.key = key
    plans = columns.map {
      ColumnPlan(
        codec: $0.codec, packing: $0.packing, isNullable: $0.isNullable,
        hasOwnChangeRule: $0.hasOwnChangeRule)
    }
    cases = columns.map(\.cases)
    typeName = TypeName.unqualified(type)
    tableName = Model.tableName
    formerTableNames = Model.wasNamed
    self.migrations = migrations
    self.search = search
    primary = columns.firstIndex { $0.role == .primary }
    hasRowIDPrimary = columns.contains { $0.isRowID }
    version = columns.firstIndex { $0 is VersionColumn }
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
        hasLazyCollections: collections.contains(where: \.isLazy), reverseCount: reverses.count))
  }

  /// All properties, in the order of ``offsets``.
  package var properties: [PropertySchema] { columns + collections + reverses }

  /// Returns the Swift name of the property that is stored under a name.
  package func property(storedAs name: String) -> String? {
    (columns + collections).first { $0.name == name }?.property
  }

  /// A hash of the schema. A table whose recorded fingerprint is equal needs no migration. It is
  /// computed once.
  package var fingerprint: String {
    if let cached = resolution.withLock({ resolution.fingerprint }) { return cached }
    let fingerprint = Self.fingerprint(of: fingerprintText)
    resolution.keep { $0.fingerprint = fingerprint }
    return fingerprint
  }

  /// Returns the FNV-1a hash of a text, as 16 hexadecimal digits.
  package static func fingerprint(of text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private var fingerprintText: String {
    let columns = columns.map {
      "\($0.name)\u{1F}\($0.storageClass.rawValue)\u{1F}\($0.isNullable)\u{1F}\($0.role == .primary)"
        + ($0.isFile ? "\u{1F}file" : "")
        + ($0.collation?.name.map { "\u{1F}\($0)" } ?? "")
    }
    let indexes = indexes.map { "\($0.name)\u{1F}\($0.isUnique)" }
    // The fingerprint of a type without migrations does not contain a version, as in files from
    // before migrations existed.
    let version = migrations.version == 0 ? [] : ["\(migrations.version)"]
    // Likewise that of a type that cannot be searched.
    let search = search.map { [$0.definition] } ?? []
    return (columns + indexes + relationships + version + search).joined(separator: "\u{1E}")
  }

  private var relationships: [String] {
    toOnes.map { column in
      let target = (try? column.schema.target)?.tableName ?? ""
      return "\(column.schema.name)\u{1F}\(target)\u{1F}\(column.schema.deleteRule)"
    }
      + storedCollections.map { column in
        let target = (try? column.target)?.tableName ?? ""
        let key = column.makeKeys()?.storageClass.rawValue ?? ""
        return "\(column.name)\u{1F}\(target)\u{1F}\(column.deleteRule)\u{1F}"
          + "\(column.kind)\u{1F}\(key)\(column.isOwned ? "\u{1F}owned" : "")"
      }
  }
}
