/// A page with the chart, the tables and the machine, which needs no other file.
struct Page {
  let report: Report

  var html: String {
    let body = Markup.all(
      [Markup("h1", [:], .text("MagicData: \(report.heading)")), Chart(ChartData(report)).svg]
        + section("Ratios", report.ratios) + (report.latencies.map(latencies) ?? [])
        + section("Machine", machine))
    let head = Markup.all([
      Markup("meta", ["charset": "utf-8"]),
      Markup("meta", ["name": "viewport", "content": "width=device-width"]),
      Markup("title", [:], .text("MagicData, measured")), Self.sheet,
    ])
    let page = Markup(
      "html", ["lang": "en"], .all([Markup("head", [:], head), Markup("body", [:], body)]))
    return "<!DOCTYPE html>\n\(page.text)\n"
  }

  private func section(_ title: String, _ table: Table) -> [Markup] {
    [Markup("h2", [:], .text(title)), Markup("div", ["class": "wide"], table.html)]
  }

  private func latencies(_ table: Table) -> [Markup] {
    section("Latencies of single operations", table)
  }

  private var machine: Table {
    var table = Table(textColumns: 2, header: ["", ""])
    table.rows = report.machine.lines.map { ["\($0.name)", "\($0.value)"] }
    table.rows += report.engines.map { ["\($0.name)", "\($0.version)"] }
    return table
  }

  private static let sheet = Markup.style(
    """
    :root { color-scheme: light dark }
    body { font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
      max-width: 1000px; margin: 2em auto; padding: 0 1em; color: #1f2328; background: #fff }
    h1 { font-size: 1.5em } h2 { font-size: 1.2em; margin-top: 2em }
    svg { max-width: 100%; height: auto } .wide { overflow-x: auto }
    table { border-collapse: collapse } th, td { padding: .3em .7em; text-align: left;
      vertical-align: top; border-bottom: 1px solid #d8dee4 }
    .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
    @media (prefers-color-scheme: dark) {
    body { color: #e6edf3; background: #010409 } th, td { border-color: #2f3742 }
    }
    """)
}
