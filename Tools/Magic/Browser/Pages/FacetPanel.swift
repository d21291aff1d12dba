import MagicInspection

/// The frequent values of properties, with their numbers of rows. Each one is a link that filters.
struct FacetPanel {
  let request: PageRequest
  let type: InspectedType
  let query: RowsQuery
  /// The number of rows that meet the filters.
  let count: RowCount

  /// The time for all properties. After it, only the first rows are counted. They are counted at once if
  /// the rows are very many, or so many that the page could not count them, or that a property has used
  /// its time.
  private static let timeLimit = Duration.milliseconds(200)
  /// The time for one property.
  private static let columnTime = Duration.milliseconds(30)
  private static let sample = 2_000
  /// Values of more rows are not counted in the time for one property.
  private static let countedRows = 500_000
  private static let columnLimit = 12
  private static let valueLimit = 6

  func html() throws -> HTML {
    guard request.parameter("facets") != nil else { return .nothing }
    let columns = type.columns.filter(Self.hasFrequentValues).prefix(Self.columnLimit)
    let end = ContinuousClock.now.advanced(by: Self.timeLimit)
    var sections: [HTML] = []
    var isSample = !count.isExact || count.number > Self.countedRows
    for (index, column) in columns.enumerated() {
      // Each property has an equal part of the time that the ones before it left.
      let rest = ContinuousClock.now.duration(to: end) / (columns.count - index)
      let facets = try request.reader.facets(
        of: column, in: type, filters: query.rows.filters, search: query.rows.search,
        limit: Self.valueLimit,
        within: min(max(rest, .milliseconds(2)), Self.columnTime), isSample: isSample,
        sample: Self.sample)
      isSample = isSample || facets.sampleSize != nil
      guard isUseful(facets, column) else { continue }
      sections.append(try section(column, facets))
    }
    return HTML(
      .section,
      [.named("facets"), HTMLAttribute(.label, "Frequent values"), HTMLAttribute(.part, "facets")]
    ) {
      HTML(sections)
      if sections.isEmpty {
        HTML(.p, [.named("note")]) { "No value of a property is frequent." }
      }
    }
  }

  private static func hasFrequentValues(_ column: InspectedColumn) -> Bool {
    switch column.form {
    case .bool, .enumeration, .one, .text, .integer, .url: !column.isRowID
    default: false
    }
  }

  /// Whether the list divides the rows: not one value for all of them, and not a value for each.
  private func isUseful(_ facets: Facets, _ column: InspectedColumn) -> Bool {
    if query.typed.contains(where: { $0.column == column }) { return true }
    guard let most = facets.facets.first?.count, facets.facets.count > 1 else { return false }
    let rows = facets.sampleSize ?? count.number
    return most > 1 && most * 50 >= rows
  }

  private func section(_ column: InspectedColumn, _ facets: Facets) throws -> HTML {
    let largest = facets.facets.map(\.count).max() ?? 1
    return try HTML(.section) {
      HTML(.h3) { InspectedText.line(column.property, limit: 30) }
      try HTML(.ul) {
        for facet in facets.facets { try item(column, facet, largest) }
      }
      if let size = facets.sampleSize {
        HTML(.p, [.named("note")]) { "of the first \(size.grouped) rows" }
      } else if facets.hasMore {
        HTML(.p, [.named("note")]) { "and other values" }
      }
    }
  }

  private func item(
    _ column: InspectedColumn, _ facet: Facets.Facet, _ largest: Int
  ) throws -> HTML {
    var text = facet.value.text(as: column.form).map { InspectedText.line($0, limit: 40) } ?? "null"
    if text.isEmpty { text = "“”" }
    if let target = column.target.flatMap(request.database.type(ofTable:)),
      let rowID = facet.value.integer
    {
      text = try request.reader.reference(to: rowID, of: target).text
    }
    let name = RowsQuery.prefix + column.property
    let value = TypedFilter.text(of: facet.value, column)
    let isSelected = query.typed.contains { $0.column == column && $0.text == value }
    let link = request.link.without("after", "before", "value", "via")
      .with(name, isSelected ? nil : value)
    return HTML(.li) {
      HTML(
        .a, [.href(link)] + (isSelected ? [HTMLAttribute(.current, "true")] : [])
      ) {
        HTML(.span, [HTMLAttribute(.dir, "auto")]) { text }
        HTML(.span, [.named("number")]) { facet.count.grouped }
        HTML(
          .progress,
          [
            HTMLAttribute(.value, String(facet.count)), HTMLAttribute(.max, String(largest)),
            HTMLAttribute(.hidden, "true"),
          ])
      }
    }
  }
}

extension InspectedReference {
  /// The name of the object for a reader.
  var text: String { exists ? label ?? "#\(rowID)" : "#\(rowID), which does not exist" }
}
