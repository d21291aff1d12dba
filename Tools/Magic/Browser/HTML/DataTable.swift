import MagicInspection

/// A table as data for programs: the JSON and CSV of a page.
struct DataTable: Sendable {
  /// The names of the columns and what their values represent.
  var columns: [(name: String, form: InspectedForm)]
  /// The rows, in the order of the columns.
  var rows: [[InspectedValue]]
  /// What the JSON contains besides the rows, such as the address of the next page.
  var extra: [JSONNode.Member] = []

  /// A JSON object with the rows.
  func json() -> JSONNode {
    let rows = rows.map { row in
      JSONNode.object(zip(columns, row).map { .init($0.name, $1.json(as: $0.form)) })
    }
    return .object(extra + [.init("rows", .array(rows))])
  }

  /// The rows as comma-separated values, with a line of names.
  func csv() -> String {
    let lines = rows.map { row in
      CSVText.line(zip(columns, row).map { CSVText.text(of: $1, as: $0.form) })
    }
    return CSVText.line(columns.map(\.name)) + lines.joined()
  }
}
