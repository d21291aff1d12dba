public import Magical

/// One thing that a step does to a type's table.
///
/// Properties go by the names they are stored under when it is this step's turn. Names that are not
/// there do nothing, save where values are made of them.
public struct MagicMigrationChange: Sendable {
  package enum Kind: Sendable {
    case add(String)
    case delete(String)
    case rename(String, to: String)
    case convert(String)
    case transform(RowTransform)
    case sql(String)
  }

  package let kind: Kind

  /// A new property that may be nil. It comes by itself where the type has it; the step says so to
  /// later ones, whose SQL may want it under this name.
  public static func addOptionalValue(name: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .add(name))
  }

  /// The values of a property go, the links of a collection too. The objects it referred to stay. Where
  /// the type has a property of that name, it begins empty.
  public static func deleteValue(name: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .delete(name))
  }

  /// A property has another name from now on, a collection too.
  public static func renameValue(name: String, to newName: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .rename(name, to: newName))
  }

  /// A property becomes what the type says it is, though that may take something away: a real
  /// number, or a text of one, becomes an integer; a collection that holds members twice, a set; a
  /// collection of several, its first member. A value that is none of the new type is an error, and
  /// then nothing is done.
  ///
  /// It is done when all steps have been taken, for only the type itself says what it becomes: a
  /// later step finds the values as they were. Where one follows that reads them, use
  /// ``transformValue(name:_:)``.
  public static func convertValue(name: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .convert(name))
  }

  /// Each value of a property becomes what the closure makes of it; where there is none, none.
  ///
  /// - Parameter transform: what it throws ends the migration, of which nothing is left then.
  public static func transformValue<
    Old: Magical & SendableMetatype, New: Magical & SendableMetatype
  >(
    name: String, _ transform: @escaping @Sendable (Old) throws -> New
  ) -> MagicMigrationChange {
    MagicMigrationChange(
      kind: .transform(
        RowTransform(summary: "the values of \(name) go", property: name) { old, new in
          guard let value = try old.value(name, as: Old.self) else { return }
          try new.set(name, to: transform(value))
        }))
  }

  /// Each row becomes what the closure makes of it, the rows in z-index order.
  ///
  /// ```swift
  /// .transformRows { old, new in
  ///   let first = try old.value("firstName", as: String.self) ?? ""
  ///   try new.set("name", to: first)
  /// }
  /// ```
  ///
  /// - Parameter transform: gets the row as it is and as it will be, with the same values to begin
  ///   with. What it throws ends the migration, of which nothing is left then.
  public static func transformRows(
    _ transform: @escaping @Sendable (borrowing MagicOldRow, borrowing MagicNewRow) throws -> Void
  ) -> MagicMigrationChange {
    MagicMigrationChange(
      kind: .transform(RowTransform(summary: "every row goes", property: nil, body: transform)))
  }

  /// One SQL statement that changes rows. What the type has and the table has not is there, empty or
  /// with its default; columns are changed by the other changes alone.
  public static func sql(_ statement: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .sql(statement))
  }
}

/// What is made of rows by a user's closure.
package struct RowTransform: Sendable {
  /// Of what, for people.
  package let summary: String
  /// The one property whose values are set; nil where it may be any.
  package let property: String?
  package let body: @Sendable (borrowing MagicOldRow, borrowing MagicNewRow) throws -> Void
}
