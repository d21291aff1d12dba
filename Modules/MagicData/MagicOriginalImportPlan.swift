import OriginalImport

/// What the import of a database of the original MagicData would do, from
/// `MagicData.importPlan(ofOriginalMagicData:as:)`.
///
/// ```swift
/// let plan = try await MagicData.importPlan(
///   ofOriginalMagicData: old, as: [TodoItem.self, Tag.self])
/// print(plan)  // the types, their rows and properties, and what would be lost
/// ```
public struct MagicOriginalImportPlan: Sendable {
  /// A type that gets objects.
  public struct ImportedType: Sendable, Equatable {
    /// The name of the type.
    public let type: String
    /// The table of its objects; nil if the file has none, because no object of the type was saved.
    public let table: String?
    /// The number of objects.
    public let rows: Int
    /// The properties.
    public let properties: [Property]
  }

  /// A property that gets values.
  public struct Property: Sendable, Equatable {
    /// The name of the property.
    public let name: String
    /// The column of its values.
    public let column: String
  }

  /// The types, in the order in which they were given.
  public let types: [ImportedType]
  /// The tables and columns that no type has, such as `Song` and `Artist._age`. The import throws
  /// `.invalidSchema`, unless it allows their loss.
  public let losses: [String]
  /// The number of values of optional assets whose files are missing. The import throws `.assetMissing`,
  /// unless it allows their loss.
  public let missingAssets: Int

  init(_ plan: OriginalPlan) {
    types = plan.summaries.map { summary in
      ImportedType(
        type: summary.type, table: summary.table, rows: summary.rows,
        properties: summary.properties.map { Property(name: $0.name, column: $0.column) })
    }
    (losses, missingAssets) = (plan.losses, plan.missingAssets)
  }
}

extension MagicOriginalImportPlan: CustomStringConvertible {
  /// The types with their properties, then what would be lost, each on a line.
  public var description: String {
    var lines: [String] = []
    for type in types {
      lines.append("\(type.table ?? "no table") → \(type.type): \(type.rows) rows")
      lines += type.properties.map { "  \($0.column) → \($0.name)" }
    }
    lines += losses.map { "lost: \($0)" }
    if missingAssets > 0 { lines.append("lost: assets without their files: \(missingAssets)") }
    return lines.joined(separator: "\n")
  }
}
