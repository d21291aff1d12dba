extension Table {
  /// The table as an element of a page.
  var html: Markup {
    let head = header.enumerated().map { Markup("th", Self.classes(isNumber($0)), .text($1)) }
    let body = rows.map { row in
      Markup(
        "tr", [:],
        .all(
          row.enumerated().map { index, cell in
            let text = Markup.text(cell.text)
            return Markup(
              "td", Self.classes(isNumber(index)),
              cell.isStrong ? Markup("strong", [:], text) : text)
          }))
    }
    let isNamed = header.contains { !$0.isEmpty }
    return Markup(
      "table", [:],
      .all([
        isNamed ? Markup("thead", [:], Markup("tr", [:], .all(head))) : .none,
        Markup("tbody", [:], .all(body)),
      ]))
  }

  private func isNumber(_ column: Int) -> Bool { column >= textColumns }

  private static func classes(_ isNumber: Bool) -> KeyValuePairs<String, String> {
    isNumber ? ["class": "number"] : [:]
  }
}
