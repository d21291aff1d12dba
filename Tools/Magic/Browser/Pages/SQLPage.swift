import MagicData
import MagicInspection

/// A SELECT of the user, its rows and its plan.
struct SQLPage {
  let request: PageRequest

  private static let rowLimit = 1_000
  /// The largest size of all values on the page, in bytes.
  private static let byteLimit = 16 << 20
  private static let placeholder = "SELECT …"

  func response(_ notation: PageRequest.Notation) throws -> SiteResponse {
    let sql = request.parameter("sql") ?? ""
    guard notation == .page else {
      guard !sql.isEmpty else {
        throw InspectionError(.invalidInput, "The parameter sql has no statement.")
      }
      return PageRequest.response(Self.table(try run(sql)), notation)
    }
    // The page is smaller than the data, and cells show only the beginning of a value.
    request.reader.valueLimit = 4_096
    let layout = Layout(
      request: request, title: "SQL", entry: .sql, notations: sql.isEmpty ? [] : ["json", "csv"])
    return .html(
      layout.page(
        HTML([
          HTML(.h1) { "SQL" },
          form(sql),
          HTML(.div, [HTMLAttribute(.part, "result"), HTMLAttribute(.live, "off")]) {
            if !sql.isEmpty { result(sql) }
          },
        ])))
  }

  private func run(_ sql: String) throws -> SQLResult {
    try request.reader.query(
      sql, values: [:], limit: Self.rowLimit, bytes: Self.byteLimit)
  }

  private static func table(_ result: SQLResult) -> DataTable {
    let columns = result.columns.enumerated().map { index, name in
      (name: name, form: form(result.rows.lazy.map { $0[index] }))
    }
    return DataTable(
      columns: columns, rows: result.rows, extra: [.init("hasMore", .bool(result.hasMore))])
  }

  private static func form(_ values: some Sequence<InspectedValue>) -> InspectedForm {
    let isJSON = values.first { !$0.isNull }.map { $0.guessedForm == .json } ?? false
    return isJSON ? .json : .text
  }

  private func form(_ sql: String) -> HTML {
    HTML(.form, [.action(.sql), HTMLAttribute(.method, "get"), .named("sql")]) {
      HTML(.label, [HTMLAttribute(.labelFor, "sql")]) {
        "A SELECT, which reads up to \(Self.rowLimit.grouped) rows in up to one second"
      }
      HTML(
        .textarea,
        [
          HTMLAttribute(.id, "sql"), HTMLAttribute(.name, "sql"), HTMLAttribute(.rows, "6"),
          HTMLAttribute(.spellcheck, "false"), HTMLAttribute(.placeholder, Self.placeholder),
          HTMLAttribute(.focus, "sql"), HTMLAttribute(.required),
        ]
      ) { sql }
      HTML(.p) {
        HTML(.button, [HTMLAttribute(.type, "submit"), .named("button main")]) { "Run" }
      }
    }
  }

  private func result(_ sql: String) -> HTML {
    do {
      let result = try run(sql)
      return HTML([table(result), plan(sql)])
    } catch let error as InspectionError {
      return HTML(.p, [.named("problem"), HTMLAttribute(.role, "alert")]) { error.description }
    } catch {
      // The rights on a server can be missing, and a function can fail.
      let message = (error as? MagicError)?.message ?? "The statement failed."
      return HTML(.p, [.named("problem"), HTMLAttribute(.role, "alert")]) { message }
    }
  }

  private func table(_ result: SQLResult) -> HTML {
    let forms = Self.table(result).columns.map(\.form)
    let numbers = result.columns.indices.map { index in
      result.rows.allSatisfy { $0[index].isNull || $0[index].number != nil }
    }
    return HTML([
      HTML(.p, [.named("note")]) {
        result.hasMore
          ? "The first \(result.rows.count.grouped) rows"
          : "\(result.rows.count.grouped) \(result.rows.count == 1 ? "row" : "rows")"
      },
      HTML(
        .div,
        [
          .named("scroll"), HTMLAttribute(.tabindex, "0"), HTMLAttribute(.role, "region"),
          HTMLAttribute(.label, "Result"),
        ]
      ) {
        HTML(.table, [.named("rows")]) {
          HTML(.thead) {
            HTML(.tr) {
              for (index, name) in result.columns.enumerated() {
                HTML(
                  .th, [HTMLAttribute(.scope, "col"), .named(numbers[index] ? "number" : "text")]
                ) {
                  InspectedText.line(name, limit: 60)
                }
              }
            }
          }
          HTML(.tbody) {
            for row in result.rows {
              HTML(.tr) {
                for (index, value) in row.enumerated() {
                  HTML(.td, [.named(numbers[index] ? "number" : "text")]) {
                    ValueCells.plain(value, forms[index], limit: 200)
                  }
                }
              }
            }
          }
        }
      },
    ])
  }

  private func plan(_ sql: String) -> HTML {
    guard let steps = try? request.reader.plan(of: sql), !steps.isEmpty else { return .nothing }
    return HTML(.section) {
      HTML(.h2) { "Plan" }
      HTML(.ol, [.named("plan")]) {
        for step in steps.prefix(200) {
          HTML(.li, [.named("depth-\(min(step.depth, 6))" + (step.isFullScan ? " scan" : ""))]) {
            HTML(.code) { InspectedText.line(step.text, limit: 400) }
            if step.isFullScan { HTML(.em) { "reads the whole table" } }
          }
        }
      }
    }
  }
}
