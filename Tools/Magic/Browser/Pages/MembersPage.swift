import MagicInspection

/// The members of a relationship of an object, or the objects that refer to it by one.
struct MembersPage {
  let request: PageRequest
  let type: InspectedType
  let rowID: Int64
  let kind: Kind

  enum Kind {
    case members(String)
    case referrers(table: String, property: String)
  }

  func response(_ notation: PageRequest.Notation) throws -> SiteResponse {
    let owner = try request.reader.reference(to: rowID, of: type)
    guard owner.exists else {
      throw InspectionError(.notFound, "There is no object with this row ID.")
    }
    let limit = min(max(Int(request.parameter("limit") ?? "") ?? 100, 1), RowsQuery.rowLimit)
    let offset = min(max(Int(request.parameter("offset") ?? "") ?? 0, 0), 100_000_000)
    let (relationship, count, page) = try read(offset: offset, limit: limit)
    guard notation == .page else {
      return PageRequest.response(table(page, relationship), notation)
    }

    let trail = Trail(request, current: type, rowID: rowID)
    let cells = ValueCells(request: request, type: type, trail: trail.next)
    let title = "\(title(relationship)) of \(owner.text)"
    let layout = Layout(request: request, title: title, table: type.table)
    return .html(
      layout.page(
        HTML([
          try trail.html(request, type: type),
          HTML(.div, [HTMLAttribute(.part, "members")]) {
            HTML(.h1, [HTMLAttribute(.dir, "auto")]) { InspectedText.line(title, limit: 120) }
            HTML(.p, [.named("note")]) {
              "\(count.grouped) \(count == 1 ? "object" : "objects"), of "
              HTML(.a, [.href(.object(type.table, rowID))]) { owner.text }
            }
            MemberList(cells: cells, members: page.members).html
            pages(offset: offset, limit: limit, hasMore: page.hasMore)
          },
        ])))
  }

  private func read(
    offset: Int, limit: Int
  ) throws -> (InspectedRelationship, Int, MemberPage) {
    let (reader, database) = (request.reader, request.database)
    switch kind {
    case .members(let property):
      guard let relationship = type.relationship(named: property) else { throw Self.missing }
      return (
        relationship, try reader.memberCount(of: relationship, owner: rowID),
        try reader.members(
          of: relationship, owner: rowID, in: database, offset: offset, limit: limit)
      )
    case .referrers(let table, let property):
      guard
        let relationship = database.references(to: type.table).first(where: {
          $0.owner == table && $0.property == property
        })
      else { throw Self.missing }
      return (
        relationship, try reader.referrerCount(to: rowID, by: relationship),
        try reader.referrers(
          to: rowID, by: relationship, in: database, offset: offset, limit: limit)
      )
    }
  }

  private static let missing = InspectionError(
    .notFound, "The type has no relationship of this name.")

  private func title(_ relationship: InspectedRelationship) -> String {
    guard case .referrers = kind else { return relationship.property }
    let owner = request.database.type(ofTable: relationship.owner)?.name ?? relationship.owner
    return "\(owner).\(relationship.property)"
  }

  private func table(_ page: MemberPage, _ relationship: InspectedRelationship) -> DataTable {
    DataTable(
      columns: [
        ("table", .text), ("row", .integer), ("label", .text),
        ("key", relationship.keyForm ?? .text),
      ],
      rows: page.members.map { member in
        [
          InspectedValue(.text(member.table)), InspectedValue(.integer(member.rowID)),
          member.label.map { InspectedValue(.text($0)) } ?? InspectedValue(.null),
          member.key ?? InspectedValue(.null),
        ]
      }, extra: [.init("hasMore", .bool(page.hasMore))])
  }

  private func pages(offset: Int, limit: Int, hasMore: Bool) -> HTML {
    guard offset > 0 || hasMore else { return .nothing }
    return HTML(.nav, [.named("pages"), HTMLAttribute(.label, "Pages of objects")]) {
      if offset > 0 {
        let start = max(0, offset - limit)
        let link = request.link.with("offset", start == 0 ? nil : String(start))
        HTML(.a, [.href(link), HTMLAttribute(.rel, "prev")]) { "← Previous" }
      }
      if hasMore {
        let link = request.link.with("offset", String(offset + limit))
        HTML(.a, [.href(link), HTMLAttribute(.rel, "next")]) { "Next →" }
      }
    }
  }
}

/// Objects as links, those of a dictionary with their keys.
struct MemberList {
  let cells: ValueCells
  let members: [InspectedReference]

  var html: HTML {
    guard !members.isEmpty else { return .nothing }
    return HTML(.ol, [.named("objects")]) {
      for member in members {
        HTML(.li, [HTMLAttribute(.row, "\(member.table)/\(member.rowID)")]) {
          if let key = member.key {
            HTML(.span, [.named("key")]) { ValueCells.plain(key, key.guessedForm, limit: 60) }
          }
          cells.reference(member)
          if member.label != nil { HTML(.span, [.named("form")]) { "#\(member.rowID)" } }
        }
      }
    }
  }
}
