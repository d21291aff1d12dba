/// An option for the column of a property, given in the declaration of the property:
/// `@MagicValue(.indexed, .named("full_name")) var name: String`.
public struct MagicOption: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case indexed
    case unique
    case named(String)
    case wasNamed(String)
    case onDelete(MagicDeleteRule)
    case rowID
    case owned
    case searchable(weight: Double)
    case compared(MagicCollation)
    case namedInJSON(String)
  }

  package let kind: Kind

  package init(kind: Kind) { self.kind = kind }

  /// Creates an index for the column.
  public static var indexed: MagicOption { MagicOption(kind: .indexed) }

  /// Requires that no two rows have the same value. NULL values are exempt. The column has a unique
  /// index.
  public static var unique: MagicOption { MagicOption(kind: .unique) }

  /// The name of the column, or of the join table of a collection, if it differs from the name of
  /// the property.
  public static func named(_ name: String) -> MagicOption { MagicOption(kind: .named(name)) }

  /// The key of the property in JSON documents of objects, if it differs from the name of the property.
  /// The names in the database stay as they are.
  ///
  /// - Parameter key: the key. It is not empty, and does not begin with `$`.
  public static func named(json key: String) -> MagicOption {
    MagicOption(kind: .namedInJSON(key))
  }

  /// A former name of the property. An existing column with this name, or join table of a
  /// collection, is renamed. Give the option once for each former name.
  public static func wasNamed(_ name: String) -> MagicOption { MagicOption(kind: .wasNamed(name)) }

  /// Stores an array of objects in the rows of its members, without a join table. A member then has
  /// one owner at most: a member that is put into the list of another owner leaves the first list.
  public static var owned: MagicOption { MagicOption(kind: .owned) }

  /// Adds the texts of the property to the search index of the type: `query.matching("text")` finds
  /// them.
  public static var searchable: MagicOption { searchable(weight: 1) }

  /// Adds the texts of the property to the search index of the type.
  ///
  /// - Parameter weight: how much an occurrence counts in the scores of a search, relative to the
  ///   other properties. A positive number.
  public static func searchable(weight: Double) -> MagicOption {
    MagicOption(kind: .searchable(weight: weight))
  }

  /// Orders and compares the texts of the property by a collation: in indexes, in `==`, `<` and the
  /// other comparisons of queries, in their orders and groups, and in `.unique`. Tests of parts of a
  /// text, such as `hasPrefix` and `contains`, are not affected.
  ///
  /// Only a property of type `String` or `String?` can have a collation. A primary and the properties
  /// of a key cannot have ``MagicCollation/caseInsensitive``, because objects in memory are identified
  /// by exact values.
  public static func compared(_ collation: MagicCollation) -> MagicOption {
    MagicOption(kind: .compared(collation))
  }

  /// The effect on the relationship when an object on either side of it is removed.
  public static func onDelete(_ rule: MagicDeleteRule) -> MagicOption {
    MagicOption(kind: .onDelete(rule))
  }
}
