import MagicData
import MagicInspection

/// The first page: the types of the database with their numbers of objects.
struct TypesPage {
  let request: PageRequest

  /// The time for counting the rows of all types.
  private static let timeLimit = Duration.milliseconds(60)

  func response(_ notation: PageRequest.Notation) throws -> SiteResponse {
    let end = ContinuousClock.now.advanced(by: Self.timeLimit)
    let counts = try request.database.types.map { type in
      let rest = max(ContinuousClock.now.duration(to: end), .milliseconds(1))
      return (type, try count(of: type, within: rest))
    }
    guard notation == .page else {
      let table = DataTable(
        columns: [("type", .text), ("table", .text), ("objects", .integer), ("isExact", .bool)],
        rows: counts.map { type, count in
          [
            InspectedValue(.text(type.name)), InspectedValue(.text(type.table)),
            InspectedValue(count.map { .integer(Int64($0.number)) } ?? .null),
            InspectedValue(.integer(count?.isExact == true ? 1 : 0)),
          ]
        })
      return PageRequest.response(table, notation)
    }
    let layout = Layout(request: request, title: "Types", entry: .types)
    return .html(
      layout.page(
        HTML([
          HTML(.h1) { InspectedText.line(request.name, limit: 60) },
          summary, problems,
          HTML(.div, [HTMLAttribute(.part, "types"), .named("scroll")]) { list(counts) },
          otherTables,
        ])))
  }

  private func count(of type: InspectedType, within duration: Duration) throws -> RowCount? {
    try request.reader.ifReadable { try request.reader.count(of: type, within: duration) }
  }

  private var summary: HTML {
    let database = request.database
    let format = database.format.map { "format \($0)" } ?? "no objects of MagicData"
    return HTML(.p, [.named("note")]) {
      "\(database.types.count.grouped) types, \(format)"
      if database.types.contains(where: { !$0.isDescribed }) {
        ". The database does not describe all types: forms marked with ? are guesses"
      }
    }
  }

  private var problems: HTML {
    HTML(
      request.database.problems.prefix(20).map { problem in
        HTML(.p, [.named("problem")]) { InspectedText.line(problem, limit: 300) }
      })
  }

  private func list(_ counts: [(InspectedType, RowCount?)]) -> HTML {
    guard !counts.isEmpty else {
      return HTML(.p, [.named("empty")]) { "The database contains no types yet." }
    }
    return HTML(.table, [.named("types")]) {
      HTML(.thead) {
        HTML(.tr) {
          for (name, style) in [
            ("Type", ""), ("Objects", "number"), ("Properties", "number"), ("References", "wide"),
          ] {
            HTML(.th, [HTMLAttribute(.scope, "col"), .named(style)]) { name }
          }
        }
      }
      HTML(.tbody) {
        for (type, count) in counts {
          HTML(.tr, [HTMLAttribute(.row, type.table)]) {
            HTML(.th, [HTMLAttribute(.scope, "row")]) {
              HTML(.a, [.href(.rows(type.table))]) { InspectedText.line(type.name) }
            }
            HTML(.td, [.named("number")]) { count?.text ?? "no right" }
            HTML(.td, [.named("number")]) { type.propertyCount.grouped }
            HTML(.td, [.named("wide")]) { references(of: type) }
          }
        }
      }
    }
  }

  private func references(of type: InspectedType) -> HTML {
    var tables: [String] = []
    for relationship in type.relationships where relationship.isStored {
      if !tables.contains(relationship.target) { tables.append(relationship.target) }
    }
    return HTML(.span, [.named("links")]) {
      for table in tables.prefix(8) {
        if let target = request.database.type(ofTable: table) {
          HTML(.a, [.href(.rows(table))]) { InspectedText.line(target.name) }
        }
      }
    }
  }

  private var otherTables: HTML {
    let tables = request.database.otherTables
    guard !tables.isEmpty else { return .nothing }
    return HTML(.section) {
      HTML(.h2) { "Other tables" }
      HTML(.ul, [.named("links")]) {
        for table in tables.prefix(100) {
          HTML(.li) {
            HTML(.a, [.href(Link.sql.with("sql", "SELECT * FROM \(table.quoted)"))]) {
              InspectedText.line(table)
            }
          }
        }
      }
    }
  }
}

extension RowCount {
  /// The number for a reader.
  var text: String { (isExact ? "" : "≤ ") + number.grouped }
}

extension Int {
  /// The number with commas between groups of three digits.
  var grouped: String {
    let digits = Array(String(magnitude).reversed())
    let groups = stride(from: 0, to: digits.count, by: 3).map {
      String(digits[$0..<Swift.min($0 + 3, digits.count)].reversed())
    }
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// The number of bytes for a reader.
  var byteText: String {
    var (value, unit) = (Double(self), "bytes")
    for next in ["kB", "MB", "GB", "TB"] where value >= 1_000 {
      (value, unit) = (value / 1_000, next)
    }
    if unit == "bytes" { return self == 1 ? "1 byte" : "\(self) bytes" }
    let tenths = Int((value * 10).rounded())
    return tenths >= 100 || tenths % 10 == 0
      ? "\(Int(value.rounded())) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
