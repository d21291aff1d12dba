public import Magical

/// One change that a migration step applies to the table of a type.
///
/// ```swift
/// static var migrations: Migrations {
///   Migrations {
///     MigrationStep { [.renameValue(name: "title", to: "name")] }
///     MigrationStep { [.transformValue(name: "price") { (price: Double) in Int(price * 100) }] }
///   }
/// }
/// ```
///
/// A change refers to a property by the name under which it is stored when the step runs. Deleting,
/// renaming or converting a property that does not exist has no effect. A closure or SQL statement
/// that reads such a property fails.
public struct MagicMigrationChange: Sendable {
  package enum Kind: Sendable {
    case add(String)
    case delete(String)
    case rename(String, to: String)
    case convert(String)
    case transform(RowTransform)
    case sql(String)
    case adopt(table: String?, dates: MagicDateFormat?)
    case adoptJoinTable(String, property: String)
  }

  package let kind: Kind

  package init(kind: Kind) { self.kind = kind }

  /// Adds a property that may be nil. Properties that the type declares are added without this
  /// change. It is needed for a property that the type no longer declares and that the SQL or a
  /// closure of a later change uses.
  public static func addOptionalValue(name: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .add(name))
  }

  /// Deletes the values of a property, or the join rows of a collection. The objects that the
  /// property referred to are not deleted. If the type declares a property of that name, it is nil
  /// or empty after the step.
  public static func deleteValue(name: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .delete(name))
  }

  /// Renames a property, which may be a collection.
  public static func renameValue(name: String, to newName: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .rename(name, to: newName))
  }

  /// Permits the conversion of a property to the type that it has in the declaration.
  ///
  /// A real number without a fraction becomes an integer, and a text that contains a number becomes
  /// that number. If one of the values cannot be converted, the migration throws and changes
  /// nothing. A collection becomes another collection or a to-one, even if that loses data: a set
  /// contains each member once, and a to-one refers to the first member.
  ///
  /// The conversion runs after all steps, because only the declaration contains the new type. Later
  /// steps therefore read the unconverted values. If a later step needs the converted values, use
  /// ``transformValue(name:_:)``.
  public static func convertValue(name: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .convert(name))
  }

  /// Replaces each value of a property by the result of a closure. NULL remains NULL.
  ///
  /// - Parameter transform: computes the new value. If it throws, the migration is rolled back.
  public static func transformValue<
    Old: Magical, New: Magical
  >(
    name: String, _ transform: @escaping @Sendable (Old) throws -> New
  ) -> MagicMigrationChange {
    MagicMigrationChange(
      kind: .transform(
        RowTransform(summary: "the values of \(name) are transformed", property: name) { old, new in
          guard let value = try old.value(name, as: Old.self) else { return }
          try new.set(name, to: transform(value))
        }))
  }

  /// Calls a closure for each row, in ascending order of row IDs. The closure sets the new values
  /// of the row.
  ///
  /// ```swift
  /// .transformRows { old, new in
  ///   let first = try old.value("firstName", as: String.self) ?? ""
  ///   try new.set("name", to: first)
  /// }
  /// ```
  ///
  /// - Parameter transform: gets the old row, and the new row, which initially has the same values.
  ///   If it throws, the migration is rolled back.
  public static func transformRows(
    _ transform: @escaping @Sendable (borrowing MagicOldRow, borrowing MagicNewRow) throws -> Void
  ) -> MagicMigrationChange {
    MagicMigrationChange(
      kind: .transform(
        RowTransform(summary: "every row is transformed", property: nil, body: transform)))
  }

  /// Runs one SQL statement that changes rows. Before the statement runs, the columns that the type
  /// declares and the table lacks are added, with their default or NULL. The statement cannot add,
  /// rename or drop columns; use the other changes for that.
  public static func sql(_ statement: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .sql(statement))
  }
}

/// A closure of the user that computes new rows.
package struct RowTransform: Sendable {
  /// What is transformed, as text for people.
  package let summary: String
  /// The only property that the closure sets; nil if it can set any property.
  package let property: String?
  package let body: @Sendable (borrowing MagicOldRow, borrowing MagicNewRow) throws -> Void
}
