import MagicInspection

/// Asks before an object is deleted, and shows what refers to it.
struct DeletionPage {
  let request: PageRequest
  let type: InspectedType
  let rowID: Int64
  let token: AccessToken

  func page(mark: String, problem: String?) throws -> HTML {
    let object = try request.reader.object(rowID, of: type, in: request.database)
    let title = "Delete \(InspectedText.line(type.name, limit: 60)) #\(rowID)"
    let layout = Layout(request: request, title: title, table: type.table, notations: [])
    return layout.page(
      HTML([
        HTML(.h1) { title },
        EditForms.problem(problem),
        object.reference.label.map { label in
          HTML(.p, [HTMLAttribute(.dir, "auto")]) { InspectedText.line(label, limit: 200) }
        } ?? .nothing,
        HTML(.ul, [.named("referrers")]) {
          for collection in object.referrers { HTML(.li) { text(collection) } }
        },
        HTML(.form, [.action(request.link.without("via")), HTMLAttribute(.method, "post")]) {
          EditForms.hidden("token", token.text)
          EditForms.hidden("shown", mark)
          HTML(.p, [.named("tools")]) {
            HTML(.button, [HTMLAttribute(.type, "submit"), .named("button main")]) { "Delete" }
            HTML(.a, [.named("button"), .href(.object(type.table, rowID))]) { "Cancel" }
          }
        },
      ]))
  }

  /// What happens to the objects that refer to this one.
  private func text(_ collection: InspectedCollection) -> String {
    let relationship = collection.relationship
    let owner = request.database.type(ofTable: relationship.owner)?.name ?? relationship.owner
    let name = InspectedText.line("\(owner).\(relationship.property)", limit: 80)
    let objects = collection.count == 1 ? "1 object" : "\(collection.count.grouped) objects"
    switch relationship.deleteRule {
    case "cascade": return "\(name): \(objects) are deleted too, and what their rules say."
    case "deny": return "\(name): \(objects) refer to it, so it cannot be deleted."
    default: return "\(name): \(objects) refer to it, and will not."
    }
  }
}
