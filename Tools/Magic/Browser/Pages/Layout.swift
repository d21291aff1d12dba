import MagicInspection

/// The frame of all pages: title, navigation, the main part, and the state of live updates.
struct Layout {
  let request: PageRequest
  /// The title of the page.
  let title: String
  /// The table of the type that the page is about.
  var table: String?
  /// The name of the main navigation's entry that is the page.
  var entry: Link?
  /// The notations besides HTML.
  var notations: [String] = ["json", "csv"]

  func page(_ main: HTML) -> HTML {
    Self.document(
      title: "\(InspectedText.line(title, limit: 60)) — \(InspectedText.line(request.name))",
      top: top, side: side,
      main: HTML([main, footer]))
  }

  private var top: HTML {
    HTML(.header, [.named("top")]) {
      HTML(.a, [.named("file"), .href(.types)]) { InspectedText.line(request.name, limit: 40) }
      HTML(.nav, [HTMLAttribute(.label, "Pages")]) {
        HTML(.ul) {
          item("Types", .types)
          item("Diagram", .schema)
          item("SQL", .sql)
        }
      }
      HTML(.p, [.named("live"), HTMLAttribute(.role, "status"), HTMLAttribute(.id, "live")])
    }
  }

  private func item(_ text: String, _ link: Link) -> HTML {
    HTML(.li) {
      HTML(.a, [.href(link)] + (entry == link ? [HTMLAttribute(.current, "page")] : [])) { text }
    }
  }

  private var side: HTML {
    HTML(.nav, [.named("side"), HTMLAttribute(.label, "Types")]) {
      HTML(.ul) {
        for type in request.database.types.prefix(200) {
          HTML(.li) {
            HTML(
              .a,
              [.href(.rows(type.table))]
                + (table == type.table ? [HTMLAttribute(.current, "true")] : [])
            ) { InspectedText.line(type.name, limit: 40) }
          }
        }
      }
    }
  }

  private var footer: HTML {
    HTML(.footer) {
      HTML(.p) {
        for notation in notations {
          HTML(.a, [.href(request.link(as: "." + notation))]) { notation.uppercased() }
        }
        HTML(.button, [HTMLAttribute(.type, "button"), HTMLAttribute(.id, "help-button")]) {
          "Keys"
        }
      }
    }
  }

  /// A page that shows only an error.
  static func problem(_ error: InspectionError, name: String) -> HTML {
    document(
      title: "Not shown",
      top: HTML(.header, [.named("top")]) {
        HTML(.a, [.named("file"), .href(.types)]) { InspectedText.line(name, limit: 40) }
      },
      side: .nothing,
      main: HTML([
        HTML(.h1) { "Not shown" },
        HTML(.p, [.named("problem"), HTMLAttribute(.role, "alert")]) { error.description },
      ]))
  }

  /// A page that continues with another one.
  static func forwarding(to link: Link) -> HTML {
    HTML(.html, [HTMLAttribute(.lang, "en")]) {
      HTML(.head) {
        HTML(.meta, [HTMLAttribute(.charset, "utf-8")])
        HTML(.meta, HTMLAttribute.refresh(link))
        HTML(.title) { "magic" }
      }
      HTML(.body) {
        HTML(.p) { HTML(.a, [.href(link)]) { "Continue" } }
      }
    }
  }

  private static func document(title: String, top: HTML, side: HTML, main: HTML) -> HTML {
    HTML(.html, [HTMLAttribute(.lang, "en")]) {
      HTML(.head) {
        HTML(.meta, [HTMLAttribute(.charset, "utf-8")])
        HTML(
          .meta,
          [
            HTMLAttribute(.name, "viewport"),
            HTMLAttribute(.content, "width=device-width, initial-scale=1"),
          ])
        HTML(.meta, [HTMLAttribute(.name, "color-scheme"), HTMLAttribute(.content, "light dark")])
        HTML(.title) { title }
        HTML(.link, [HTMLAttribute(.rel, "icon"), .href(Resource.icon)])
        HTML(.link, [HTMLAttribute(.rel, "stylesheet"), .href(Resource.style)])
        HTML(.script, [.src(Resource.script), HTMLAttribute(.defer)])
      }
      HTML(.body) {
        HTML(.a, [.named("skip"), .mainPart]) { "Skip to the content" }
        top
        HTML(.div, [.named("columns")]) {
          side
          HTML(.main, [HTMLAttribute(.id, "main"), HTMLAttribute(.tabindex, "-1")]) { main }
        }
        keys
      }
    }
  }

  private static let keys = HTML(
    .dialog, [HTMLAttribute(.id, "help"), HTMLAttribute(.labelledBy, "help-title")]
  ) {
    HTML(.h2, [HTMLAttribute(.id, "help-title")]) { "Keys" }
    HTML(.dl) {
      for (key, text) in [
        ("/", "Filter, or write SQL"), ("j k", "Next and previous row"), ("Enter", "Open the row"),
        ("n p", "Next and previous page"), ("t d s", "Types, diagram, SQL"),
        ("Ctrl Enter", "Run the SQL"), ("?", "This list"), ("Esc", "Close it"),
      ] {
        HTML(.dt) { HTML(.kbd) { key } }
        HTML(.dd) { text }
      }
    }
  }
}
