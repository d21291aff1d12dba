import MagicInspection

/// What the address of a page of rows asks for.
struct RowsQuery {
  private(set) var rows = RowRequest()
  /// The conditions as they were typed, with the names of the properties.
  private(set) var typed: [(column: InspectedColumn, text: String)] = []
  /// What is wrong with conditions that are ignored.
  private(set) var problems: [String] = []

  /// Whether the page has only some of the objects.
  var isFiltered: Bool { !typed.isEmpty || rows.search != nil }

  /// Whether the scores of a search determine the order.
  var isRanked: Bool { rows.search?.index != nil && rows.sorting == nil }

  static let prefix = "where."
  /// The largest number of rows of a page.
  static let rowLimit = 1_000
  /// Values up to this size are in the address of the next page; larger ones are read again.
  private static let valueLimit = 512

  init(_ request: PageRequest, type: InspectedType) throws {
    if let name = request.parameter("sort") {
      if let column = type.column(named: name) {
        rows.sorting = column
      } else {
        problems.append("The type has no property to sort by with this name.")
      }
    }
    rows.isDescending = request.parameter("order") == "down"
    rows.limit = min(max(Int(request.parameter("limit") ?? "") ?? 50, 1), Self.rowLimit)
    for parameter in request.link.parameters
    where parameter.name.hasPrefix(Self.prefix) && !parameter.value.isEmpty {
      add(parameter, type)
    }
    if let text = request.parameter("q") {
      rows.search = RowSearch(text, in: type)
      if rows.search == nil {
        problems.append("The type has no text to search in.")
      }
    }
    rows.position = try position(request, type)
  }

  private mutating func add(_ parameter: Link.Parameter, _ type: InspectedType) {
    let name = String(parameter.name.dropFirst(Self.prefix.count))
    guard let column = type.column(named: name) else {
      problems.append("The type has no property with the name of a filter.")
      return
    }
    do {
      rows.filters += try TypedFilter(parameter.value, column).filters()
      typed.append((column, parameter.value))
    } catch {
      problems.append(error.description)
    }
  }

  // MARK: Positions

  private func position(_ request: PageRequest, _ type: InspectedType) throws -> RowPosition? {
    for side in [RowPosition.Side.after, .before] {
      guard let rowID = request.parameter(side.rawValue).flatMap(Int64.init) else { continue }
      guard let column = rows.sorting, !column.isRowID else {
        // A page without ranks has positions without a score.
        let score = isRanked ? request.parameter("value").flatMap(Self.value) : nil
        return RowPosition(side, rowID: rowID, value: score ?? .init(.null))
      }
      if let value = request.parameter("value").flatMap(Self.value) {
        return RowPosition(side, rowID: rowID, value: value)
      }
      guard let value = try request.reader.value(of: column, in: type, rowID) else { continue }
      return RowPosition(side, rowID: rowID, value: value)
    }
    return nil
  }

  /// The address of a neighbouring page.
  static func link(to position: RowPosition, from link: Link) -> Link {
    link.without("after", "before", "value")
      .with(position.side.rawValue, String(position.rowID))
      .with("value", text(of: position.value))
  }

  /// A value as a parameter; nil for one that is too large, or that a page does not need.
  private static func text(of value: InspectedValue) -> String? {
    switch value.stored {
    case .null: nil
    case .integer(let number): "i\(number)"
    case .real(let number): "r\(number.bitPattern)"
    case .text(let text) where value.byteCount <= valueLimit: "t" + text
    default: nil
    }
  }

  private static func value(_ text: String) -> InspectedValue? {
    let rest = String(text.dropFirst())
    switch text.first {
    case "i": return Int64(rest).map { InspectedValue(.integer($0)) }
    case "r":
      guard let number = UInt64(rest).map(Double.init(bitPattern:)), !number.isNaN else {
        return nil
      }
      return InspectedValue(.real(number))
    case "t": return InspectedValue(.text(rest))
    default: return nil
    }
  }
}
