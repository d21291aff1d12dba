import MagicInspection

/// The types and relationships of the database as a drawing, whose boxes are links.
struct SchemaPage {
  let request: PageRequest

  func response(_ notation: PageRequest.Notation) throws -> SiteResponse {
    guard notation == .page else { return PageRequest.response(table, notation) }
    let database = request.database
    let layout = Layout(request: request, title: "Diagram", entry: .schema)
    return .html(
      layout.page(
        HTML([
          HTML(.h1) { "Diagram" },
          HTML(.p, [.named("note")]) {
            "Each arrow is a stored relationship, from the type that has the property."
          },
          HTML(
            .div,
            [
              .named("scroll diagram"), HTMLAttribute(.tabindex, "0"),
              HTMLAttribute(.role, "region"),
              HTMLAttribute(.label, "Diagram"),
            ]
          ) {
            if database.types.isEmpty {
              HTML(.p, [.named("empty")]) { "The database contains no types yet." }
            } else {
              HTML(SVGDiagram(database)) { .rows($0.table) }
            }
          },
        ])))
  }

  /// The properties and relationships of all types.
  private var table: DataTable {
    var rows: [[InspectedValue]] = []
    for type in request.database.types {
      for column in type.columns {
        rows.append(
          [type.name, type.table, column.property, column.column, column.form.name, column.target]
            .map(Self.value))
      }
      for relationship in type.relationships where relationship.form != .one {
        rows.append(
          [
            type.name, type.table, relationship.property, nil, relationship.form.name,
            relationship.target,
          ].map(Self.value))
      }
    }
    return DataTable(
      columns: ["type", "table", "property", "column", "form", "target"].map { ($0, .text) },
      rows: rows)
  }

  private static func value(_ text: String?) -> InspectedValue {
    InspectedValue(text.map { .text($0) } ?? .null)
  }
}
