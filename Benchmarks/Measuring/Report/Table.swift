/// A table with a header, for a terminal and for a page.
struct Table {
  /// The number of the first columns that contain text; the others contain numbers.
  let textColumns: Int
  let header: [String]
  var rows: [[Cell]] = []

  /// The cell of a row in one column.
  struct Cell: ExpressibleByStringInterpolation {
    let text: String
    var isStrong = false

    init(_ text: String, isStrong: Bool = false) {
      self.text = text
      self.isStrong = isStrong
    }

    init(stringLiteral text: String) { self.init(text) }

    static func strong(_ text: String) -> Cell { Cell(text, isStrong: true) }
  }

  /// The table as Markdown.
  var markdown: String {
    let rule =
      Array(repeating: "---", count: textColumns)
      + Array(repeating: "---:", count: header.count - textColumns)
    let lines = rows.map { $0.map { $0.isStrong ? "**\($0.text)**" : $0.text } }
    return ([Self.line(header), "|\(rule.joined(separator: "|"))|"] + lines.map(Self.line))
      .joined(separator: "\n")
  }

  private static func line(_ cells: [String]) -> String {
    "| \(cells.joined(separator: " | ")) |"
  }
}
