import MagicInspection

/// A table for a terminal. Columns are shortened to the width of the terminal; if that is too
/// narrow for them, each row is a list of lines.
struct TextTable {
  /// A column: its title, and whether its texts are aligned to the right.
  struct Column {
    let title: String
    var isRight = false
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []
  /// The maximum width of a column.
  private let limit: Int
  private static let gap = 2
  private static let minimum = 5

  init(_ columns: [Column], limit: Int = 60) {
    self.columns = columns
    self.limit = limit
  }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// Leaves out columns that have no text in any row.
  func withoutEmptyColumns() -> TextTable {
    let used = columns.indices.filter { index in rows.contains { !$0[index].isEmpty } }
    var table = TextTable(used.map { columns[$0] }, limit: limit)
    for row in rows { table.add(used.map { row[$0] }) }
    return table
  }

  func write(to output: Output) {
    guard !columns.isEmpty else { return }
    let limit = output.width == nil ? 10_000 : limit
    let cells = rows.map { row in row.map { InspectedText.line($0, limit: limit) } }
    let titles = columns.map { InspectedText.line($0.title, limit: limit) }
    var widths = titles.map(\.terminalWidth)
    for row in cells {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], cell.terminalWidth)
      }
    }
    if let width = output.width, !Self.fit(&widths, into: width) {
      writeRecords(cells, titles: titles, to: output, width: width)
      return
    }
    output.line(output.bold(line(titles, widths)))
    for row in cells { output.line(line(row, widths)) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var parts: [String] = []
    for (index, cell) in cells.enumerated() {
      let text = cell.shortened(to: widths[index])
      // The last column needs no spaces after it.
      let isLast = index == cells.count - 1 && !columns[index].isRight
      parts.append(isLast ? text : text.padded(to: widths[index], isRight: columns[index].isRight))
    }
    var line = parts.joined(separator: String(repeating: " ", count: Self.gap))
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Shortens the widest columns until the table fits.
  ///
  /// - Returns: false if it does not.
  private static func fit(_ widths: inout [Int], into width: Int) -> Bool {
    let available = width - gap * (widths.count - 1)
    let smallest = widths.reduce(0) { $0 + min($1, minimum) }
    guard smallest <= available else { return false }
    while widths.reduce(0, +) > available {
      guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return true
  }

  private func writeRecords(
    _ cells: [[String]], titles: [String], to output: Output, width: Int
  ) {
    let title = min(titles.map(\.terminalWidth).max() ?? 0, width / 3)
    for (number, row) in cells.enumerated() {
      output.line(output.bold("row \(number + 1)"))
      for (name, cell) in zip(titles, row) {
        let text = cell.shortened(to: max(1, width - title - 4))
        output.line("  " + name.shortened(to: title).padded(to: title) + "  " + text)
      }
    }
  }
}
