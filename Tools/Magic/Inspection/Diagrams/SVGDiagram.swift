/// The types and relationships of a file as a drawing: a box for each type, and an arrow for each
/// relationship that is stored.
public struct SVGDiagram {
  private let database: InspectedDatabase
  private let boxes: [Box]
  private let size: (width: Int, height: Int)

  /// A type's box, with its place.
  private struct Box {
    let type: InspectedType
    let lines: [(name: String, form: String)]
    var x = 0
    var y = 0
    var width: Int
    var height: Int { SVGDiagram.header + lines.count * SVGDiagram.line + 8 }
  }

  private static let header = 30
  private static let line = 18
  private static let gap = 72
  private static let margin = 24
  /// The maximum number of properties that a box shows.
  private static let lineLimit = 14

  /// Lays the diagram out.
  public init(_ database: InspectedDatabase) {
    self.database = database
    var boxes = Self.ordered(database).map(Self.box)
    let columns = max(1, Int(Double(boxes.count).squareRoot().rounded(.up)))
    var heights = Array(repeating: Self.margin, count: columns)
    var placed: [Int] = []
    // Each box is added to the column that is shortest.
    for index in boxes.indices {
      let column = heights.indices.min { heights[$0] < heights[$1] } ?? 0
      placed.append(column)
      boxes[index].y = heights[column]
      heights[column] += boxes[index].height + Self.gap / 2
    }
    var x = Self.margin
    for column in heights.indices {
      let members = boxes.indices.filter { placed[$0] == column }
      let width = members.map { boxes[$0].width }.max() ?? 0
      for index in members {
        boxes[index].x = x
        boxes[index].width = width
      }
      x += width + Self.gap
    }
    self.boxes = boxes
    size = (max(x - Self.gap + Self.margin, 80), max((heights.max() ?? 0) + Self.margin, 80))
  }

  /// The types with the most relationships first.
  private static func ordered(_ database: InspectedDatabase) -> [InspectedType] {
    var degrees: [String: Int] = [:]
    for relationship in database.types.flatMap(\.relationships) where relationship.isStored {
      degrees[relationship.owner, default: 0] += 1
      degrees[relationship.target, default: 0] += 1
    }
    return database.types.sorted {
      (-(degrees[$0.table] ?? 0), $0.name) < (-(degrees[$1.table] ?? 0), $1.name)
    }
  }

  private static func box(_ type: InspectedType) -> Box {
    var lines = type.columns.map { column in
      (
        InspectedText.line(column.property, limit: 24),
        InspectedText.line(column.form.name, limit: 14)
      )
    }
    lines += type.relationships.filter { $0.form != .one }.map {
      (InspectedText.line($0.property, limit: 24), InspectedText.line($0.form.name, limit: 14))
    }
    if lines.count > lineLimit {
      // Arrows begin at relationships, so that values are left out first.
      let related = Set(type.relationships.map { InspectedText.line($0.property, limit: 24) })
      var removed = 0
      for index in lines.indices.reversed() where !related.contains(lines[index].0) {
        guard lines.count > lineLimit - 1 else { break }
        lines.remove(at: index)
        removed += 1
      }
      removed += max(0, lines.count - lineLimit + 1)
      lines = lines.prefix(lineLimit - 1) + [("and \(removed) more", "")]
    }
    let widest = lines.map { $0.0.count + $0.1.count + 3 }.max() ?? 0
    let name = InspectedText.line(type.name, limit: 32)
    return Box(type: type, lines: lines, width: max(widest * 8, name.count * 9, 120) + 20)
  }

  /// Returns the drawing.
  ///
  /// - Parameters:
  ///   - hasStyle: whether the drawing contains its style. A page with a style of its own defines
  ///     the classes `box`, `name`, `property`, `form` and `arrow`.
  ///   - link: returns the address of a type's page; nil for no link.
  public func text(
    hasStyle: Bool = true, link: (InspectedType) -> String? = { _ in nil }
  ) -> String {
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size.width) \(size.height)" \
      width="\(size.width)" height="\(size.height)" role="img" aria-label="The types of the file">

      """
    if hasStyle { svg += "<style>\(Self.style)</style>\n" }
    svg += """
      <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" \
      markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8Z" class="head"/></marker></defs>

      """
    for relationship in database.types.flatMap(\.relationships) where relationship.isStored {
      svg += arrow(relationship)
    }
    for box in boxes { svg += drawing(box, link: link(box.type)) }
    return svg + "</svg>\n"
  }

  private func drawing(_ box: Box, link: String?) -> String {
    var svg = "<g>"
    if let link { svg += "<a href=\"\(link.markup)\">" }
    svg += """
      <rect class="box" x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)" rx="6"/>\
      <text class="name" x="\(box.x + 10)" y="\(box.y + 20)">\
      \(InspectedText.line(box.type.name, limit: 32).markup)</text>
      """
    if link != nil { svg += "</a>" }
    for (index, line) in box.lines.enumerated() {
      let y = box.y + Self.header + index * Self.line + 12
      svg += """
        <text class="property" x="\(box.x + 10)" y="\(y)">\(line.name.markup)</text>\
        <text class="form" x="\(box.x + box.width - 10)" y="\(y)" text-anchor="end">\
        \(line.form.markup)</text>
        """
    }
    return svg + "</g>\n"
  }

  private func arrow(_ relationship: InspectedRelationship) -> String {
    guard let from = boxes.first(where: { $0.type.table == relationship.owner }),
      let to = boxes.first(where: { $0.type.table == relationship.target })
    else { return "" }
    let name = InspectedText.line(relationship.property, limit: 24)
    let index = from.lines.firstIndex { $0.name == name } ?? max(0, from.lines.count - 1)
    let y1 = from.y + Self.header + index * Self.line + 8
    let y2 = to.y + Self.header / 2
    let isRight = to.x > from.x
    let x1 = from.x + (to.x >= from.x ? from.width : 0)
    // In the same column, the arrow leaves and arrives on the right side.
    let x2 = isRight ? to.x : to.x + to.width
    let bend = max(30, abs(x2 - x1) / 2)
    let c1 = to.x >= from.x ? x1 + bend : x1 - bend
    let c2 = isRight ? x2 - bend : x2 + bend
    return """
      <path class="arrow" d="M\(x1) \(y1)C\(c1) \(y1) \(c2) \(y2) \(x2) \(y2)" \
      marker-end="url(#head)"><title>\(relationship.property.shown.markup)</title></path>

      """
  }

  private static let style = """
    svg{font:13px ui-sans-serif,system-ui,sans-serif;color:#1d1d1f;background:#fff}\
    .box{fill:#f6f6f8;stroke:#b9b9c0}.name{font-weight:600;fill:currentColor}\
    .property{fill:currentColor}.form{fill:#6e6e76}.arrow{fill:none;stroke:#6b7fd7}\
    .head{fill:#6b7fd7}@media(prefers-color-scheme:dark){svg{color:#f2f2f4;background:#1c1c1e}\
    .box{fill:#2c2c2f;stroke:#55555c}.form{fill:#a0a0a8}}
    """
}
