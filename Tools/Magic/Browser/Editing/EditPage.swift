import MagicInspection

/// The form of an object, or of a new one.
struct EditPage {
  let request: PageRequest
  let type: InspectedType
  /// The object; nil for a new one.
  let rowID: Int64?
  let fields: [EditField]
  let token: AccessToken
  /// What is said about the type above the form.
  let note: String?

  /// What the form contains.
  struct Content: Sendable {
    /// The mark of the stored object; "" for a new one.
    var mark = ""
    /// The texts that the fields show.
    var texts: [String: FieldText] = [:]
    /// The marks of the texts that the fields had when the form was opened, if they differ from those
    /// of ``texts``.
    var bases: [String: String] = [:]
    /// Why single fields cannot be edited.
    var obstacles: [String: String] = [:]
    /// What is wrong with the texts of fields.
    var problems: [String: String] = [:]
    /// What is wrong with the whole.
    var problem: String?
    /// The stored texts of fields that were changed after the form was made.
    var stored: [String: FieldText] = [:]
  }

  /// The number of objects that a field suggests.
  private static let suggestionLimit = 100

  func page(_ content: Content) throws -> HTML {
    let name = InspectedText.line(type.name, limit: 60)
    let title = rowID.map { "Edit \(name) #\($0)" } ?? "New \(name)"
    let layout = Layout(request: request, title: title, table: type.table, notations: [])
    return layout.page(
      HTML([
        HTML(.h1) { title },
        note.map { note in HTML(.p, [.named("note")]) { note } } ?? .nothing,
        EditForms.problem(content.problem),
        try form(content),
      ]))
  }

  private func form(_ content: Content) throws -> HTML {
    try HTML(
      .form,
      [
        .action(request.link.without("via")), HTMLAttribute(.method, "post"), .named("edit"),
        HTMLAttribute(.autocomplete, "off"),
      ]
    ) {
      EditForms.hidden("token", token.text)
      EditForms.hidden("shown", content.mark)
      for (index, field) in fields.enumerated() { try self.field(field, index, content) }
      HTML(.p, [.named("tools")]) {
        HTML(.button, [HTMLAttribute(.type, "submit"), .named("button main")]) {
          rowID == nil ? "Create" : "Save"
        }
        HTML(
          .a, [.named("button"), .href(rowID.map { .object(type.table, $0) } ?? .rows(type.table))]
        ) { "Cancel" }
      }
    }
  }

  private func field(_ field: EditField, _ index: Int, _ content: Content) throws -> HTML {
    let identifier = "field-\(index)"
    let problem = content.problems[field.property]
    let obstacle = field.obstacle ?? content.obstacles[field.property]
    return try HTML(.div, [.named(problem == nil ? "field" : "field wrong")]) {
      HTML(.label, [HTMLAttribute(.labelFor, identifier)]) {
        InspectedText.line(field.property, limit: 60)
        HTML(.span, [.named("form")]) { InspectedText.line(field.typeText, limit: 60) }
      }
      if let obstacle {
        HTML(.p, [.named("note"), HTMLAttribute(.id, identifier)]) { obstacle }
      } else {
        try control(field, identifier, content.texts[field.property] ?? .null, problem != nil)
        if let note = field.note { HTML(.p, [.named("note")]) { note } }
        EditForms.hidden(
          EditForms.basePrefix + field.property,
          content.bases[field.property] ?? (content.texts[field.property] ?? .null).mark)
      }
      if let problem {
        HTML(
          .p,
          [
            .named("problem"), HTMLAttribute(.id, identifier + "-problem"),
            HTMLAttribute(.role, "alert"),
          ]
        ) { problem }
      }
      if let stored = content.stored[field.property] {
        HTML(.p, [.named("note")]) {
          "Stored now: "
          HTML(.strong) { stored.text.map { InspectedText.line($0, limit: 200) } ?? "null" }
        }
      }
    }
  }

  // MARK: Controls

  private func control(
    _ field: EditField, _ identifier: String, _ text: FieldText, _ isWrong: Bool
  ) throws -> HTML {
    var attributes = [
      HTMLAttribute(.id, identifier), HTMLAttribute(.name, EditForms.valuePrefix + field.property),
      HTMLAttribute(.spellcheck, "false"),
    ]
    if isWrong {
      attributes.append(HTMLAttribute(.invalid, "true"))
      attributes.append(HTMLAttribute(.describedBy, identifier + "-problem"))
    }
    switch field.source {
    case .column(let column):
      if let choices = Self.choices(column, text) {
        return HTML(.select, attributes) {
          for (value, name) in choices {
            HTML(
              .option,
              [HTMLAttribute(.value, value)]
                + (value == (text.text ?? EditForms.noText) ? [HTMLAttribute(.selected)] : [])
            ) { name }
          }
        }
      }
      return HTML([
        try column.form == .one
          ? reference(field, identifier, text, attributes) : Self.text(column, text, attributes),
        Self.null(field, text),
      ])
    case .members:
      return HTML([
        HTML(
          .p, [.named("note")]
        ) { "Row IDs, one on each line." },
        Self.area(text.text ?? "", rows: 4, attributes),
      ])
    }
  }

  private static func text(
    _ column: InspectedColumn, _ text: FieldText, _ attributes: [HTMLAttribute]
  ) -> HTML {
    let value = text.text ?? ""
    guard column.form == .json || column.form == .text else {
      return HTML(
        .input,
        attributes + [
          HTMLAttribute(.type, "text"), HTMLAttribute(.value, value),
          HTMLAttribute(.placeholder, hint(column)),
        ])
    }
    // A line of text has the same element, so that a line break can be typed.
    let lines = value.split(separator: "\n", omittingEmptySubsequences: false).count
    let rows = column.form == .json ? max(4, lines) : max(1, lines + value.utf8.count / 100)
    return area(value, rows: min(rows, 20), attributes)
  }

  /// A browser ignores a line break at the beginning.
  private static func area(_ text: String, rows: Int, _ attributes: [HTMLAttribute]) -> HTML {
    HTML(.textarea, attributes + [HTMLAttribute(.rows, String(rows)), HTMLAttribute(.dir, "auto")])
    {
      "\n" + text
    }
  }

  private func reference(
    _ field: EditField, _ identifier: String, _ text: FieldText, _ attributes: [HTMLAttribute]
  ) throws -> HTML {
    guard let target = field.target.flatMap(request.database.type(ofTable:)) else {
      return .nothing
    }
    var rows = RowRequest()
    rows.limit = Self.suggestionLimit
    let suggestions = try request.reader.page(of: target, rows).rows.map {
      try request.reader.reference(to: $0.rowID, of: target)
    }
    let current = try text.text.flatMap(Int64.init).map {
      try request.reader.reference(to: $0, of: target)
    }
    return HTML([
      HTML(
        .input,
        attributes + [
          HTMLAttribute(.type, "text"), HTMLAttribute(.value, text.text ?? ""),
          HTMLAttribute(.placeholder, "row ID"), HTMLAttribute(.list, identifier + "-list"),
          HTMLAttribute(.inputMode, "numeric"),
        ]),
      HTML(.datalist, [HTMLAttribute(.id, identifier + "-list")]) {
        for suggestion in suggestions {
          HTML(.option, [HTMLAttribute(.value, String(suggestion.rowID))]) { suggestion.text }
        }
      },
      current.map { reference in
        HTML(.p, [.named("note")]) {
          HTML(.a, [.href(.object(reference.table, reference.rowID))]) { reference.text }
        }
      } ?? .nothing,
    ])
  }

  /// Empty text and null are different values, so null has a box of its own.
  private static func null(_ field: EditField, _ text: FieldText) -> HTML {
    guard field.isOptional else { return .nothing }
    return HTML(.label, [.named("box")]) {
      HTML(
        .input,
        [
          HTMLAttribute(.type, "checkbox"), HTMLAttribute(.value, "1"),
          HTMLAttribute(.name, EditForms.nullPrefix + field.property),
        ] + (text == .null ? [HTMLAttribute(.checked)] : []))
      "null"
    }
  }

  private static func choices(
    _ column: InspectedColumn, _ text: FieldText
  ) -> [(String, String)]? {
    var choices: [(String, String)]
    switch column.form {
    case .bool: choices = [("true", "true"), ("false", "false")]
    case .enumeration where !column.cases.isEmpty && column.cases.count <= 200:
      choices = column.cases.map { item in
        let text = item.text(as: column.form) ?? ""
        return (text, InspectedText.line(text, limit: 60))
      }
    default: return nil
    }
    if let current = text.text, !choices.contains(where: { $0.0 == current }) {
      choices.append((current, InspectedText.line(current, limit: 60)))
    }
    if column.isOptional || text == .null { choices.append((EditForms.noText, "null")) }
    return choices
  }

  private static func hint(_ column: InspectedColumn) -> String {
    switch column.form {
    case .date: "2024-05-01T12:30:00Z"
    case .integer: "12"
    case .real, .decimal: "12.5"
    case .url: "https://example.com"
    default: ""
    }
  }
}

/// The names of the fields of forms.
enum EditForms {
  static let valuePrefix = "value."
  static let nullPrefix = "null."
  /// Of a hidden field with the mark of the text that the form was opened with.
  static let basePrefix = "base."
  /// The value of the choice "null". A case with this text is not a choice.
  static let noText = "null (no value)"

  static func hidden(_ name: String, _ value: String) -> HTML {
    HTML(
      .input,
      [
        HTMLAttribute(.type, "hidden"), HTMLAttribute(.name, name), HTMLAttribute(.value, value),
      ])
  }

  /// What is wrong with the whole form.
  static func problem(_ text: String?) -> HTML {
    guard let text else { return .nothing }
    return HTML(.p, [.named("problem"), HTMLAttribute(.role, "alert")]) { text }
  }

  /// Returns the texts of a submitted form, and the fields that have both a text and null.
  static func texts(
    _ form: SubmittedForm, _ fields: [EditField]
  ) -> (texts: [String: FieldText], problems: [String: String]) {
    var texts: [String: FieldText] = [:]
    var problems: [String: String] = [:]
    for field in fields where field.isEditable {
      guard let text = form[valuePrefix + field.property] else { continue }
      if form[nullPrefix + field.property] != nil {
        if !text.isEmpty {
          problems[field.property] = "There is a text, and null is selected. Remove one of them."
        }
        texts[field.property] = text.isEmpty ? .null : FieldText(text)
      } else if text == noText && field.isChoice || text.isEmpty && !field.acceptsEmptyText {
        texts[field.property] = .null
      } else {
        texts[field.property] = FieldText(text)
      }
    }
    return (texts, problems)
  }
}
