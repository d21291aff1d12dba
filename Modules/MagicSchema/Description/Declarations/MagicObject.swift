public import Magical

/// A type whose values are objects of a database: a struct with magic properties.
///
/// ```swift
/// struct Person: MagicObject {
///   @PrimaryMagicValue var id: String
///   @MagicValue var name: String
///   @MagicValue var age: Int = 0
///   @OptionMagicValue var petName: String?
///
///   init() {}
/// }
/// ```
///
/// Copies of an object share the state of its magic properties, plain stored properties they do
/// not; neither do plain properties reach the database. A final class works too; its plain
/// properties are then shared as well, and its author writes `@unchecked Sendable`.
///
/// Encoding an object encodes its ``zIndex``, null while it is unsaved; decoding one throws.
public protocol MagicObject: Codable, CustomDebugStringConvertible, Magical, MagicalRelation,
  Sendable, SendableMetatype
where StoredValue == Int64 {
  /// An object without values. Also called to learn the type's properties.
  init()

  /// The table's name. Default: the type's name without its module.
  static var tableName: String { get }

  /// Indexes over several properties. Default: none.
  static var indexes: [MagicIndex<Self>] { get }

  /// The names that the table had before: an existing table of such a name is renamed. Default:
  /// none.
  static var wasNamed: [String] { get }

  /// What becomes of values when the type changes, where the type itself does not show it.
  /// Default: nothing.
  static var migrations: Migrations { get }
}

extension MagicObject {
  /// The type's name without its module.
  public static var tableName: String { TypeName.unqualified(Self.self) }

  /// None.
  public static var indexes: [MagicIndex<Self>] { [] }

  /// None.
  public static var wasNamed: [String] { [] }

  /// None.
  public static var migrations: Migrations { Migrations() }
}
