import MagicDescribedTypes
import MagicInspection

/// The objects of a type: a table with filters, an order, and pages.
struct RowsPage {
  let request: PageRequest
  let type: InspectedType

  /// The time for counting the rows, on each page.
  private static let countLimit = Duration.milliseconds(20)

  func response(_ notation: PageRequest.Notation) throws -> SiteResponse {
    let query = try RowsQuery(request, type: type)
    // Cells show the beginning of a value; JSON and CSV contain values up to the limit of the reader.
    if notation == .page { request.reader.valueLimit = 4_096 }
    let page = try request.reader.page(of: type, query.rows)
    let snippets = try query.rows.search.map {
      try request.reader.snippets(of: $0, in: type, page.rows.map(\.rowID))
    }
    guard notation == .page else {
      return PageRequest.response(table(page, query, snippets ?? [:]), notation)
    }
    let count =
      page.isWhole
      ? .exact(page.rows.count)
      : try request.reader.count(
        of: type, filters: query.rows.filters, search: query.rows.search, within: Self.countLimit)
    let facets = try FacetPanel(
      request: request, type: type, query: query, count: count
    ).html()
    let layout = Layout(request: request, title: type.name, table: type.table)
    return .html(
      layout.page(
        HTML([
          HTML(.h1) { InspectedText.line(type.name) },
          HTML(.p, [.named("note"), HTMLAttribute(.part, "count")]) {
            "\(count.text) \(count.number == 1 ? "object" : "objects")"
            if query.isFiltered { ", filtered" }
            if page.isUnranked {
              ", by row"
            } else if query.isRanked && !query.rows.isDescending {
              ", best matches first"
            }
            if let sorting = query.rows.sorting {
              // Its column can be outside of the window.
              ", sorted by \(InspectedText.line(sorting.property, limit: 40))"
              if query.rows.isDescending { ", descending" }
            }
            if !type.isDescribed { ". The forms of the properties are guesses" }
          },
          HTML(
            query.problems.map { problem in
              HTML(.p, [.named("problem"), HTMLAttribute(.role, "alert")]) { problem }
            }),
          page.isInterrupted
            ? HTML(.p, [.named("problem"), HTMLAttribute(.role, "alert")]) {
              "The search has ended because of its limit of time, so objects may be missing. Filter by "
                + "an indexed property too."
            } : .nothing,
          page.isUnranked && !page.rows.isEmpty
            ? HTML(.p, [.named("note"), HTMLAttribute(.role, "status")]) {
              "The search finds too many objects to look for the best matches: these are some of them. "
                + "More words find fewer."
            } : .nothing,
          FilterForm(request: request, type: type, query: query).html,
          facets,
          try HTML(.div, [HTMLAttribute(.part, "rows")]) {
            try rows(page, query, snippets ?? [:])
            pages(page)
          },
        ])))
  }

  /// A search by an index adds the score, and what it has found.
  private func table(
    _ page: RowPage, _ query: RowsQuery, _ snippets: [Int64: [String: SearchSnippet]]
  ) -> DataTable {
    var table = DataTable(
      columns: [("row", .integer)] + type.columns.map { ($0.property, $0.form) },
      rows: page.rows.map { [InspectedValue(.integer($0.rowID))] + $0.values })
    if let index = query.rows.search?.index {
      table.columns += [("search score", .real), ("search snippet", .text)]
      for (position, row) in page.rows.enumerated() {
        let found = index.columns.compactMap { snippets[row.rowID]?[$0.column.column]?.text }
        table.rows[position] += [
          InspectedValue(row.score.map(InspectedValue.Stored.real) ?? .null),
          InspectedValue(found.isEmpty ? .null : .text(found.joined(separator: " … "))),
        ]
      }
    }
    let next = page.next.map { RowsQuery.link(to: $0, from: request.link).text }
    table.extra = [
      .init("type", .string(type.name)), .init("next", .string(orNull: next)),
      .init("isInterrupted", .bool(page.isInterrupted)),
      .init("isUnranked", .bool(page.isUnranked)),
    ]
    return table
  }

  private func rows(
    _ page: RowPage, _ query: RowsQuery, _ snippets: [Int64: [String: SearchSnippet]]
  ) throws -> HTML {
    guard !page.rows.isEmpty else {
      return HTML(.p, [.named("empty")]) {
        page.isInterrupted
          ? "The search has found no object in its time."
          : query.isFiltered ? "No object meets the filters." : "There are no objects."
      }
    }
    let cells = ValueCells(request: request, type: type)
    for (index, column) in type.columns.enumerated() {
      guard let target = column.target.flatMap(request.database.type(ofTable:)) else { continue }
      try request.reader.readReferences(
        to: page.rows.compactMap { $0.values[index].integer }, of: target)
    }
    return try HTML(
      .div,
      [
        .named("scroll"), HTMLAttribute(.tabindex, "0"), HTMLAttribute(.role, "region"),
        HTMLAttribute(.label, "Objects"),
      ]
    ) {
      try HTML(.table, [.named("rows")]) {
        HTML(.thead) {
          HTML(.tr) {
            HTML(.th, [HTMLAttribute(.scope, "col"), .named("id")]) { "#" }
            for column in type.columns { heading(column, query.rows) }
          }
        }
        try HTML(.tbody) {
          for row in page.rows { try self.row(row, cells, snippets[row.rowID] ?? [:]) }
        }
      }
    }
  }

  private func row(
    _ row: InspectedRow, _ cells: ValueCells, _ snippets: [String: SearchSnippet]
  ) throws -> HTML {
    try HTML(.tr, [HTMLAttribute(.row, String(row.rowID))]) {
      HTML(.th, [HTMLAttribute(.scope, "row"), .named("id")]) {
        HTML(.a, [.href(.object(type.table, row.rowID))]) { String(row.rowID) }
      }
      for (column, value) in zip(type.columns, row.values) {
        let content =
          try snippets[column.column].map(ValueCells.snippet)
          ?? cells.short(value, column, rowID: row.rowID)
        HTML(.td, [.named(ValueCells.style(column.form))]) {
          if column == type.labelColumn, !value.isNull {
            // The name of an object opens it, as its number does.
            HTML(.a, [.href(.object(type.table, row.rowID))]) { content }
          } else {
            content
          }
        }
      }
    }
  }

  /// The name of a property, which sorts by it.
  private func heading(_ column: InspectedColumn, _ rows: RowRequest) -> HTML {
    let isSorting = rows.sorting == column
    let isDown = isSorting && rows.isDescending
    let link = request.link.without("after", "before", "value", "via")
      .with("sort", column.property).with("order", isSorting && !isDown ? "down" : nil)
    return HTML(
      .th,
      [HTMLAttribute(.scope, "col"), .named(ValueCells.style(column.form))]
        + (isSorting ? [HTMLAttribute(.sort, isDown ? "descending" : "ascending")] : [])
    ) {
      HTML(.a, [.href(link), HTMLAttribute(.title, column.typeText)]) {
        InspectedText.line(column.property, limit: 40)
      }
    }
  }

  private func pages(_ page: RowPage) -> HTML {
    guard page.previous != nil || page.next != nil else { return .nothing }
    return HTML(.nav, [.named("pages"), HTMLAttribute(.label, "Pages of objects")]) {
      if let position = page.previous {
        HTML(
          .a,
          [
            .href(RowsQuery.link(to: position, from: request.link)), HTMLAttribute(.rel, "prev"),
          ]
        ) { "← Previous" }
      }
      if let position = page.next {
        HTML(
          .a,
          [
            .href(RowsQuery.link(to: position, from: request.link)), HTMLAttribute(.rel, "next"),
          ]
        ) { "Next →" }
      }
    }
  }
}
