/// What a property's column has beyond its type, given where the property is declared:
/// `@MagicValue(.indexed, .named("full_name")) var name: String`.
public struct MagicOption: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case indexed
    case unique
    case named(String)
    case wasNamed(String)
    case onDelete(MagicDeleteRule)
  }

  package let kind: Kind

  /// The column has an index.
  public static var indexed: MagicOption { MagicOption(kind: .indexed) }

  /// No two rows have the same value; NULLs do not count. The column has an index by that.
  public static var unique: MagicOption { MagicOption(kind: .unique) }

  /// The name of the column, or of a collection's links, where it is not the property's.
  public static func named(_ name: String) -> MagicOption { MagicOption(kind: .named(name)) }

  /// A name the property was stored under before: an existing column of that name is renamed, the
  /// links of a collection too. It may be given for each of several names.
  public static func wasNamed(_ name: String) -> MagicOption { MagicOption(kind: .wasNamed(name)) }

  /// What becomes of a relationship when an object at one of its ends is removed.
  public static func onDelete(_ rule: MagicDeleteRule) -> MagicOption {
    MagicOption(kind: .onDelete(rule))
  }
}
