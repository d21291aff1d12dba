import MagicInspection

/// What the address of a form is about.
enum EditTarget: Hashable, Sendable {
  case creation(table: String)
  case edit(table: String, Int64)
  case deletion(table: String, Int64)

  /// Nil for the address of a page without a form.
  init?(_ path: [String]) {
    guard path.first == "type" else { return nil }
    if path.count == 3, path[2] == "new" {
      self = .creation(table: path[1])
    } else if path.count == 4, let rowID = Int64(path[2]), path[3] == "edit" {
      self = .edit(table: path[1], rowID)
    } else if path.count == 4, let rowID = Int64(path[2]), path[3] == "delete" {
      self = .deletion(table: path[1], rowID)
    } else {
      return nil
    }
  }

  var table: String {
    switch self {
    case .creation(let table), .edit(let table, _), .deletion(let table, _): table
    }
  }

  /// The object; nil for a new one.
  var rowID: Int64? {
    switch self {
    case .creation: nil
    case .edit(_, let rowID), .deletion(_, let rowID): rowID
    }
  }
}

/// The forms that change objects: shows them, and does what they say.
struct FormSite {
  let site: Site
  let editing: Editing
  let target: EditTarget
  let link: Link

  private static let isChanged =
    "The object was changed after this form was made. Nothing was saved. Fields that you have not "
    + "changed have the stored values now. Save again to replace the values of the others."
  private static let isGone = InspectionError(
    .notFound, "The object was deleted. Nothing was saved.")

  func response(_ form: SubmittedForm?) async throws -> SiteResponse {
    if let form, !editing.token.matches(form["token"] ?? "") {
      throw InspectionError(
        .invalidInput, "The form is not one of this server. Reload the page, and send it again.")
    }
    let (type, fields) = try await site.read(link, site.pool) { request in
      guard let type = request.database.type(ofTable: target.table) else {
        throw InspectionError(.notFound, "The file has no type with this table.")
      }
      return (type, editing.fields(of: type, in: request.database))
    }
    if case .deletion(_, let rowID) = target {
      return try await delete(rowID, type, form)
    }
    guard editing.canEdit(type) else { throw Editing.unknownType }
    var content = try await content(type, fields)
    guard let form else { return try await page(type, fields, content) }
    let (texts, problems) = EditForms.texts(form, fields)
    let stored = content
    // Fields that were not sent keep their values.
    content.texts.merge(texts) { $1 }
    for name in texts.keys { content.bases[name] = form[EditForms.basePrefix + name] }
    guard problems.isEmpty else {
      content.problems = problems
      return try await page(type, fields, content, status: 422)
    }
    let shown = form["shown"] ?? ""
    do {
      let rowID = try await editing.save(texts, target.rowID, of: type, fields, shown: shown)
      return .redirect(to: .object(type.table, rowID))
    } catch EditProblem.fields(let problems) {
      content.problems = problems
      content.mark = shown
      // What has no field is shown above the form.
      let known = Set(fields.filter(\.isEditable).map(\.property))
      content.problem = problems.first { !known.contains($0.key) }.map { "\($0.key): \($0.value)" }
      return try await page(type, fields, content, status: 422)
    } catch EditProblem.object(let message) {
      content.problem = message
      content.mark = shown
      return try await page(type, fields, content, status: 422)
    } catch EditProblem.changed {
      content.problem = Self.isChanged
      // Fields that the user has not changed get the stored values.
      for (name, mark) in content.bases where content.texts[name]?.mark == mark {
        content.texts[name] = stored.texts[name]
      }
      content.bases = stored.texts.mapValues(\.mark)
      content.stored = stored.texts.filter { $0.value != content.texts[$0.key] }
      return try await page(type, fields, content, status: 409)
    } catch EditProblem.deleted {
      throw Self.isGone
    }
  }

  /// What the form contains when it is opened.
  private func content(
    _ type: InspectedType, _ fields: [EditField]
  ) async throws -> EditPage.Content {
    var content = EditPage.Content()
    guard let rowID = target.rowID else {
      content.texts = try await editing.defaults(of: type, fields)
      return content
    }
    guard let stored = try await editing.stored(rowID, of: type) else { throw Self.isGone }
    content.mark = stored.mark
    for field in fields {
      content.texts[field.property] = stored.text(of: field, type)
      content.obstacles[field.property] = stored.obstacle(to: field, type)
    }
    return content
  }

  private func page(
    _ type: InspectedType, _ fields: [EditField], _ content: EditPage.Content, status: Int = 200
  ) async throws -> SiteResponse {
    try await site.read(link, site.pool) { request in
      let page = EditPage(
        request: request, type: type, rowID: target.rowID, fields: fields, token: editing.token,
        note: editing.knows(type) ? nil : Editing.describedType)
      return .html(try page.page(content), status: status)
    }
  }

  // MARK: Deleting

  private func delete(
    _ rowID: Int64, _ type: InspectedType, _ form: SubmittedForm?
  ) async throws -> SiteResponse {
    guard let stored = try await editing.stored(rowID, of: type) else {
      throw InspectionError(.notFound, "There is no object with this row ID.")
    }
    guard let form else { return try await deletionPage(rowID, type, stored.mark) }
    do {
      try await editing.delete(rowID, of: type, shown: form["shown"] ?? "")
      return .redirect(to: .rows(type.table))
    } catch EditProblem.changed {
      return try await deletionPage(
        rowID, type, stored.mark,
        problem: "The object was changed after this page was made. Nothing was deleted.",
        status: 409)
    } catch EditProblem.deleted {
      throw Self.isGone
    } catch EditProblem.object(let message) {
      return try await deletionPage(rowID, type, stored.mark, problem: message, status: 422)
    } catch EditProblem.fields(let problems) {
      return try await deletionPage(
        rowID, type, stored.mark, problem: problems.values.first, status: 422)
    }
  }

  private func deletionPage(
    _ rowID: Int64, _ type: InspectedType, _ mark: String, problem: String? = nil, status: Int = 200
  ) async throws -> SiteResponse {
    try await site.read(link, site.pool) { request in
      let page = DeletionPage(request: request, type: type, rowID: rowID, token: editing.token)
      return .html(try page.page(mark: mark, problem: problem), status: status)
    }
  }
}
