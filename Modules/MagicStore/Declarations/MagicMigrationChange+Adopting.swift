public import MagicSchema

extension MagicMigrationChange {
  /// Adopts a table that another program has created: its rows become objects of the type.
  ///
  /// The type's table is created, the rows are copied into it with their row IDs, and the other table
  /// is dropped, with its indexes. A property takes the column with its name or one of its former
  /// names, ignoring case. A foreign key column whose property is a to-one becomes a reference to the
  /// row that it identifies. Values are converted if the conversion is exact: `UUID` texts of any case
  /// and blobs of 16 bytes, numbers of a `Decimal`, and texts of a value that is stored as JSON.
  ///
  /// The migration is refused if a value cannot be converted, a reference identifies no row, a column
  /// with values has no property, or a view or trigger uses the table. Later changes permit what
  /// loses data: ``deleteValue(name:)`` for a column, ``convertValue(name:)`` to set a to-one without
  /// its row to nil. They can also convert values: those of a property that
  /// ``transformValue(name:_:)`` names are copied unchanged.
  ///
  /// The change has no effect if there is no such table, or if this library has created it. Changes
  /// before it do not run on an adopted table.
  ///
  /// - Parameters:
  ///   - table: the name of the table. Default: the name of the type's table.
  ///   - dates: the format of the dates in the table. A table with dates needs it.
  public static func adoptTable(
    _ table: String? = nil, dates: MagicDateFormat? = nil
  ) -> MagicMigrationChange {
    MagicMigrationChange(kind: .adopt(table: table, dates: dates))
  }

  /// Adopts the rows of a table with two foreign keys as the members of a collection. The table is
  /// adopted together with that of the type, so the migrations contain ``adoptTable(_:dates:)`` too.
  ///
  /// The first foreign key to the type's table identifies the owner, the other one the member.
  /// Duplicates are dropped. A list gets its members in the order of their row IDs. The table may have
  /// an integer primary key, which is dropped, but no other columns. Rows that refer to rows that do
  /// not exist are refused, unless ``convertValue(name:)`` permits to drop them.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - property: the name of the set or list.
  public static func adoptJoinTable(_ table: String, as property: String) -> MagicMigrationChange {
    MagicMigrationChange(kind: .adoptJoinTable(table, property: property))
  }
}
