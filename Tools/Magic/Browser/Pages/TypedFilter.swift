import MagicInspection

/// A condition as a user types it into the field of a property: `30`, `> 30`, `10..20`, `=text`,
/// `!text`, `null`, `!null`.
struct TypedFilter {
  let text: String
  let column: InspectedColumn

  init(_ text: String, _ column: InspectedColumn) {
    self.text = text
    self.column = column
  }

  /// The condition of a value that was selected from a list.
  static func text(of value: InspectedValue, _ column: InspectedColumn) -> String {
    guard let text = value.text(as: column.form) else { return "null" }
    return "=" + text
  }

  /// What the field of a property accepts.
  static func hint(_ column: InspectedColumn) -> String {
    switch column.form {
    case .integer, .real: "> 10, 1..5, null"
    case .date: "> 2024-05-01"
    case .one: "row ID, null"
    case .text, .url, .other: "contains; =exact, null"
    case .data, .json, .uuidBytes, .vector: "null, !null"
    default: "=value, null"
    }
  }

  func filters() throws(InspectionError) -> [RowFilter] {
    if text == "null" { return [RowFilter(column, .isNull)] }
    if text == "!null" { return [RowFilter(column, .isNotNull)] }
    if isOrdered, let range = try rangeFilters() { return range }
    for (sign, comparison) in Self.signs where text.hasPrefix(sign) {
      guard isOrdered || comparison == .equal || comparison == .notEqual else { break }
      return try compared(comparison, String(text.dropFirst(sign.count)))
    }
    switch column.form {
    case .text, .url, .uuid, .decimal, .duration, .asset, .other:
      return [RowFilter(column, .contains, InspectedValue(.text(text)))]
    default: return try compared(.equal, text)
    }
  }

  private static let signs: [(String, RowFilter.Comparison)] = [
    (">=", .greaterOrEqual), ("<=", .lessOrEqual), ("!=", .notEqual), (">", .greater), ("<", .less),
    ("=", .equal), ("!", .notEqual),
  ]

  /// Whether the order of the stored values is that of the values.
  private var isOrdered: Bool {
    switch column.form {
    case .integer, .real, .date, .text, .enumeration, .one, .duration: true
    default: false
    }
  }

  /// `10..20`: both ends are included, for dates the whole last day.
  private func rangeFilters() throws(InspectionError) -> [RowFilter]? {
    guard column.form == .date || column.form.isNumber, let dots = text.firstRange(of: "..") else {
      return nil
    }
    let (low, high) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
    var filters: [RowFilter] = []
    if !low.isEmpty { filters += try compared(.greaterOrEqual, low) }
    if !high.isEmpty { filters += try compared(.lessOrEqual, high) }
    return filters
  }

  private func compared(
    _ comparison: RowFilter.Comparison, _ given: String
  ) throws(InspectionError) -> [RowFilter] {
    // A text may begin with a space, which is part of it.
    let text = column.form == .text ? given : String(given.trimmingPrefix(while: \.isWhitespace))
    let value = try InspectedValue(typed: text, for: column)
    if column.form == .date, text.utf8.count <= 10, text.contains("-"), let start = value.number {
      return Self.day(column, comparison, start)
    }
    return [RowFilter(column, comparison, value)]
  }

  /// A comparison with a day, not with its first moment.
  private static func day(
    _ column: InspectedColumn, _ comparison: RowFilter.Comparison, _ start: Double
  ) -> [RowFilter] {
    let first = InspectedValue(.real(start))
    let next = InspectedValue(.real(start + 86_400))
    switch comparison {
    case .equal:
      return [RowFilter(column, .greaterOrEqual, first), RowFilter(column, .less, next)]
    case .greater: return [RowFilter(column, .greaterOrEqual, next)]
    case .lessOrEqual: return [RowFilter(column, .less, next)]
    default: return [RowFilter(column, comparison, first)]
    }
  }
}
