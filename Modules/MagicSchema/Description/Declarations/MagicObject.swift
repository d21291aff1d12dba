import MagicRuntime
public import Magical

/// A type whose values are objects in a database: a struct with magic properties.
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
/// Copies of an object share the state of its magic properties. Plain stored properties are copied
/// with the struct and are not saved. A final class can conform too: its instances share the plain
/// properties as well, and the class must be declared `@unchecked Sendable`.
///
/// An object is a reference to a row, so it is `Codable` only as a part of a value that a database
/// stores: its ``zIndex`` is encoded. Any other encoding and every decoding throws. `values`, from
/// the module `MagicRecords`, can be encoded and decoded.
public protocol MagicObject: Codable, CustomDebugStringConvertible, CustomReflectable, Magical,
  MagicalRelation, Sendable, SendableMetatype, _MagicFormerNames
where StoredValue == Int64 {
  /// Creates an object without values. The library also calls this initializer to find the
  /// properties of the type.
  init()

  /// The name of the table. Default: the name of the type without its module.
  static var tableName: String { get }

  /// Indexes over several properties. Default: none.
  static var indexes: [MagicIndex<Self>] { get }

  /// The properties whose values identify an object together. Default: none.
  static var key: MagicKey<Self> { get }

  /// The former names of the table. An existing table with one of these names is renamed. Default:
  /// none.
  static var wasNamed: [String] { get }

  /// The steps that migrate the table if the declaration of the type does not determine what to do
  /// with existing values. Default: none.
  static var migrations: Migrations { get }

  /// How the texts of the properties with the option `searchable` are divided into words. Default:
  /// words, in which letters with and without accents are equal.
  static var search: MagicSearch { get }
}

extension MagicObject {
  /// The name of the type without its module.
  public static var tableName: String { TypeName.unqualified(Self.self) }

  /// No indexes.
  public static var indexes: [MagicIndex<Self>] { [] }

  /// No key.
  public static var key: MagicKey<Self> { MagicKey() }

  /// No former names.
  public static var wasNamed: [String] { [] }

  /// Words, in which letters with and without accents are equal.
  public static var search: MagicSearch { .words(.withoutAccents) }

  /// No steps.
  public static var migrations: Migrations { Migrations() }

  /// Declares no migrations.
  @_documentation(visibility: internal)
  public static func createMigrations() -> _MagicNoMigrations { _MagicNoMigrations() }
  /// Declares no migrations.
  @_documentation(visibility: internal)
  public func createMigrations() -> _MagicNoMigrations { _MagicNoMigrations() }
}
