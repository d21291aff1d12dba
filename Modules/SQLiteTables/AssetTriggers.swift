package import MagicSchema

/// The triggers of a type's table that count references to files.
package struct AssetTriggers {
  private let table: String
  private let columns: [String]

  package init(_ schema: ObjectSchema) {
    self.init(
      table: schema.tableName, columns: schema.fileColumns.map { schema.columns[$0].name })
  }

  package init(table: String, columns: [String]) {
    self.table = table
    self.columns = columns
  }

  /// The suffixes of the trigger names, after the table's name.
  package static let suffixes = [" assets in", " assets change", " assets out"]

  /// Drops the existing triggers of the table, and creates those that it needs.
  package var steps: [String] {
    Self.suffixes.map { "DROP TRIGGER IF EXISTS \((table + $0).quoted)" } + create
  }

  package var create: [String] {
    guard !columns.isEmpty else { return [] }
    let names = columns.map(\.quoted)
    let changes = names.map { "OLD.\($0) IS NOT NEW.\($0)" }
    return [
      trigger(
        0, "AFTER INSERT ON \(table.quoted)",
        names.flatMap { [requireFile($0), changeCount($0, isIncrement: true)] }),
      trigger(
        1,
        "AFTER UPDATE OF \(names.joined(separator: ", ")) ON \(table.quoted) "
          + "WHEN \(changes.joined(separator: " OR "))",
        zip(names, changes).flatMap { name, change in
          [
            requireFile(name, change), changeCount(name, isIncrement: true, change),
            changeCount(name, isIncrement: false, change),
          ]
        }),
      trigger(
        2, "AFTER DELETE ON \(table.quoted)", names.map { changeCount($0, isIncrement: false) }),
    ]
  }

  private func trigger(_ kind: Int, _ event: String, _ steps: [String]) -> String {
    "CREATE TRIGGER \((table + Self.suffixes[kind]).quoted) \(event) BEGIN "
      + steps.map { "\($0); " }.joined() + "END"
  }

  /// Refuses a row that refers to a file without an entry.
  private func requireFile(_ column: String, _ condition: String? = nil) -> String {
    "SELECT RAISE(ABORT, '\(Self.refusal)') WHERE NEW.\(column) <> ''"
      + (condition.map { " AND \($0)" } ?? "")
      + " AND NOT EXISTS (SELECT 1 FROM \"magic_assets\" "
      + "WHERE \"name\" = NEW.\(column) AND \"uses\" >= 0)"
  }

  /// Increments the count of the file in the new row, or decrements that of the file in the old
  /// row.
  private func changeCount(
    _ column: String, isIncrement: Bool, _ condition: String? = nil
  ) -> String {
    "UPDATE \"magic_assets\" SET \"uses\" = \"uses\" \(isIncrement ? "+" : "-") 1 "
      + "WHERE \"name\" = \(isIncrement ? "NEW" : "OLD").\(column)"
      + (condition.map { " AND \($0)" } ?? "")
  }

  /// The message of the triggers' error.
  static let refusal = "magic_assets has no such file"
}
