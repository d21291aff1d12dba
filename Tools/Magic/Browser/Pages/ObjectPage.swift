import MagicDescribedTypes
import MagicInspection

/// An object: its properties, what it refers to, and what refers to it.
struct ObjectPage {
  let request: PageRequest
  let type: InspectedType
  let rowID: Int64

  /// The number of members of a relationship that the page shows.
  private static let memberLimit = 8
  /// The largest part of a value that is read.
  private static let valueLimit = 128 << 10

  func response(_ notation: PageRequest.Notation) throws -> SiteResponse {
    if notation == .page { request.reader.valueLimit = Self.valueLimit }
    let object = try request.reader.object(rowID, of: type, in: request.database)
    switch notation {
    case .json: return .json(json(object))
    case .csv:
      let table = DataTable(
        columns: [("row", .integer)] + type.columns.map { ($0.property, $0.form) },
        rows: [[InspectedValue(.integer(rowID))] + object.row.values])
      return PageRequest.response(table, .csv)
    case .page: return .html(try page(object))
    }
  }

  private func page(_ object: InspectedObject) throws -> HTML {
    let trail = Trail(request, current: type, rowID: rowID)
    let cells = ValueCells(request: request, type: type, trail: trail.next)
    let name = object.reference.label ?? "\(type.name) #\(rowID)"
    let layout = Layout(request: request, title: name, table: type.table)
    return layout.page(
      HTML([
        try trail.html(request, type: type),
        try HTML(.div, [HTMLAttribute(.part, "object")]) {
          HTML(.h1, [HTMLAttribute(.dir, "auto")]) { InspectedText.line(name, limit: 120) }
          HTML(.p, [.named("note")]) { "\(InspectedText.line(type.name)) #\(rowID)" }
          if let editing = request.editing { changes(editing) }
          try properties(object, cells)
          for collection in object.collections { try members(collection, cells) }
          try referrers(object, cells)
        },
      ]))
  }

  private func changes(_ editing: Editing) -> HTML {
    HTML(.p, [.named("tools")]) {
      if editing.canEdit(type) {
        HTML(.a, [.named("button"), .href(.edit(type.table, rowID))]) { "Edit" }
      }
      HTML(.a, [.named("button"), .href(.deletion(type.table, rowID))]) { "Delete" }
      if !editing.canEdit(type) {
        HTML(.span, [.named("note")]) { Editing.unknownType.description }
      }
    }
  }

  private func properties(_ object: InspectedObject, _ cells: ValueCells) throws -> HTML {
    try HTML(.dl, [.named("properties")]) {
      for (column, value) in zip(type.columns, object.row.values) {
        try HTML(.div, [HTMLAttribute(.row, column.column)]) {
          HTML(.dt) {
            InspectedText.line(column.property, limit: 60)
            HTML(.span, [.named("form")]) { column.typeText }
          }
          try HTML(.dd, [.named(ValueCells.style(column.form))]) {
            try cells.full(value, column, rowID: rowID)
          }
        }
      }
    }
  }

  private func members(_ collection: InspectedCollection, _ cells: ValueCells) throws -> HTML {
    let relationship = collection.relationship
    let page = try request.reader.members(
      of: relationship, owner: rowID, in: request.database, limit: Self.memberLimit)
    return section(
      title: InspectedText.line(relationship.property, limit: 60), note: relationship.form.name,
      count: collection.count, page.members, cells,
      all: Link(["type", type.table, String(rowID), "members", relationship.property]))
  }

  private func referrers(_ object: InspectedObject, _ cells: ValueCells) throws -> HTML {
    try HTML(.section) {
      HTML(.h2) { "Referenced by" }
      if object.referrers.isEmpty {
        HTML(.p, [.named("empty")]) { "No object refers to this one." }
      }
      for collection in object.referrers {
        let relationship = collection.relationship
        let owner = request.database.type(ofTable: relationship.owner)?.name ?? relationship.owner
        let page = try request.reader.referrers(
          to: rowID, by: relationship, in: request.database, limit: Self.memberLimit)
        section(
          title: InspectedText.line("\(owner).\(relationship.property)", limit: 80),
          note: relationship.form.name, count: collection.count, page.members, cells,
          all: Link([
            "type", type.table, String(rowID), "references", relationship.owner,
            relationship.property,
          ]), level: .h3)
      }
    }
  }

  private func section(
    title: String, note: String, count: Int, _ members: [InspectedReference], _ cells: ValueCells,
    all: Link, level: HTML.Element = .h2
  ) -> HTML {
    HTML(.section, [.named("members")]) {
      HTML(level) {
        HTML(.a, [.href(Link(all.path, cells.trail))]) { title }
        HTML(.span, [.named("count")]) { count.grouped }
        HTML(.span, [.named("form")]) { note }
      }
      MemberList(cells: cells, members: members).html
      if count > members.count {
        HTML(.p) { HTML(.a, [.href(Link(all.path, cells.trail))]) { "All \(count.grouped)" } }
      }
    }
  }

  // MARK: JSON

  private func json(_ object: InspectedObject) -> JSONNode {
    let values = zip(type.columns, object.row.values).map { column, value in
      JSONNode.Member(column.property, value.json(as: column.form))
    }
    func counts(_ collections: [InspectedCollection], _ name: (InspectedCollection) -> String)
      -> JSONNode
    {
      .object(collections.map { .init(name($0), .integer(Int64($0.count))) })
    }
    return .members([
      "type": .string(type.name), "row": .integer(rowID),
      "label": .string(orNull: object.reference.label), "values": .object(values),
      "toOnes": .object(
        object.toOnes.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) }),
      "members": counts(object.collections) { $0.relationship.property },
      "referencedBy": counts(object.referrers) {
        "\($0.relationship.owner).\($0.relationship.property)"
      },
    ])
  }
}

extension InspectedReference {
  /// The object as JSON.
  var json: JSONNode {
    .members([
      "table": .string(table), "row": .integer(rowID), "label": .string(orNull: label),
      "exists": .bool(exists),
    ])
  }
}
