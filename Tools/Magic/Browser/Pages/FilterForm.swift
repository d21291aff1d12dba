import MagicInspection

/// The filters of a page of rows: one field for each property, by its form. The form sends them as
/// parameters, so that the address contains them.
struct FilterForm {
  let request: PageRequest
  let type: InspectedType
  let query: RowsQuery

  var html: HTML {
    HTML([
      HTML(.div, [.named("tools")]) {
        HTML(
          .details,
          [.named("filters"), HTMLAttribute(.id, "filters")]
        ) {
          HTML(.summary) { "Filter" }
          form
        }
        search
        HTML(.a, [.named("button"), .href(facetsLink)]) {
          hasFacets ? "Hide values" : "Frequent values"
        }
        if request.editing?.canEdit(type) == true {
          HTML(.a, [.named("button"), .href(.creation(type.table))]) { "New" }
        }
        if !query.typed.isEmpty { applied }
      }
    ])
  }

  /// The field for words in the texts of the search index, or in any text of the objects. Filters and
  /// the order are kept.
  private var search: HTML {
    HTML(
      .form,
      [
        .action(.rows(type.table)), HTMLAttribute(.method, "get"), .named("search"),
        HTMLAttribute(.role, "search"),
      ]
    ) {
      for parameter in request.link.parameters
      where !["q", "via", "after", "before", "value"].contains(parameter.name) {
        EditForms.hidden(parameter.name, parameter.value)
      }
      HTML(
        .input,
        [
          HTMLAttribute(.type, "search"), HTMLAttribute(.name, "q"),
          HTMLAttribute(.value, request.parameter("q") ?? ""),
          HTMLAttribute(.label, searchLabel), HTMLAttribute(.placeholder, "Search texts"),
        ])
    }
  }

  private var searchLabel: String {
    guard let index = type.searchIndex else { return "Words in any text" }
    let names = index.columns.map { InspectedText.line($0.column.property, limit: 40) }
    return "Words in " + names.joined(separator: ", ")
  }

  private var hasFacets: Bool { request.parameter("facets") != nil }

  private var facetsLink: Link {
    request.link.without("via").with("facets", hasFacets ? nil : "1")
  }

  /// The filters in use, each with a link that removes it.
  private var applied: HTML {
    HTML(.ul, [.named("applied"), HTMLAttribute(.label, "Filters in use")]) {
      for (column, text) in query.typed {
        let link = request.link.without("after", "before", "value")
          .removing(RowsQuery.prefix + column.property, text)
        HTML(.li) {
          HTML(.a, [.href(link), HTMLAttribute(.title, "Remove the filter")]) {
            HTML(.span) { InspectedText.line(column.property, limit: 40) }
            " "
            HTML(.strong) { InspectedText.line(text, limit: 40) }
            " ×"
          }
        }
      }
    }
  }

  private var form: HTML {
    HTML(
      .form,
      [
        .action(.rows(type.table)), HTMLAttribute(.method, "get"),
        HTMLAttribute(.autocomplete, "off"),
      ]
    ) {
      for name in ["sort", "order", "limit", "facets", "q"] {
        if let value = request.parameter(name) {
          HTML(
            .input,
            [
              HTMLAttribute(.type, "hidden"), HTMLAttribute(.name, name),
              HTMLAttribute(.value, value),
            ])
        }
      }
      HTML(.div, [.named("fields")]) {
        for (index, column) in type.columns.enumerated() { field(column, index) }
      }
      HTML(.p) {
        HTML(.button, [HTMLAttribute(.type, "submit"), .named("button main")]) { "Apply" }
        HTML(.a, [.named("button"), .href(.rows(type.table))]) { "Clear" }
      }
    }
  }

  private func field(_ column: InspectedColumn, _ index: Int) -> HTML {
    let identifier = "filter-\(index)"
    let value = query.typed.first { $0.column == column }?.text ?? ""
    return HTML(.p) {
      HTML(.label, [HTMLAttribute(.labelFor, identifier)]) {
        InspectedText.line(column.property, limit: 40)
      }
      if let choices = choices(column, value) {
        HTML(
          .select,
          [
            HTMLAttribute(.id, identifier),
            HTMLAttribute(.name, RowsQuery.prefix + column.property),
          ]
        ) {
          for (text, name) in choices {
            HTML(
              .option,
              [HTMLAttribute(.value, text)] + (text == value ? [HTMLAttribute(.selected)] : [])
            ) { name }
          }
        }
      } else {
        HTML(
          .input,
          [
            HTMLAttribute(.id, identifier), HTMLAttribute(.type, "text"),
            HTMLAttribute(.name, RowsQuery.prefix + column.property),
            HTMLAttribute(.value, value), HTMLAttribute(.spellcheck, "false"),
            HTMLAttribute(.placeholder, TypedFilter.hint(column)), HTMLAttribute(.focus, "filter"),
          ])
      }
    }
  }

  /// The values that a property can have, if they are known: those of booleans and enumerations.
  private func choices(_ column: InspectedColumn, _ value: String) -> [(String, String)]? {
    var choices = [("", "any")]
    switch column.form {
    case .bool: choices += [("=true", "true"), ("=false", "false")]
    case .enumeration where !column.cases.isEmpty && column.cases.count <= 100:
      choices += column.cases.map { item in
        let text = item.text(as: column.form) ?? ""
        return ("=" + text, InspectedText.line(text, limit: 40))
      }
    default: return nil
    }
    if column.isOptional { choices += [("null", "null"), ("!null", "not null")] }
    if !choices.contains(where: { $0.0 == value }) {
      choices.append((value, InspectedText.line(value, limit: 40)))
    }
    return choices
  }
}

extension Link {
  /// The address without one parameter of a value.
  fileprivate func removing(_ name: String, _ value: String) -> Link {
    var parameters = parameters
    if let index = parameters.firstIndex(of: Parameter(name, value)) {
      parameters.remove(at: index)
    }
    return Link(path, parameters)
  }
}
