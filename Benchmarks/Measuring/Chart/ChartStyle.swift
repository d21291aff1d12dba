/// The colours and fonts of a chart, for light and dark mode.
enum ChartStyle {
  /// The colours of engines in their order, repeated after the last.
  private static let colours = [
    (light: "#2563eb", dark: "#60a5fa"), (light: "#d97706", dark: "#fbbf24"),
    (light: "#059669", dark: "#34d399"), (light: "#9333ea", dark: "#c084fc"),
    (light: "#db2777", dark: "#f472b6"), (light: "#0891b2", dark: "#22d3ee"),
  ]

  /// The class of an engine's colour.
  static func colour(_ engine: Int) -> String { "e\(engine % colours.count)" }

  /// - Parameter size: of letters, in pixels.
  static func sheet(size: Double = 12) -> Markup {
    .style(
      """
      text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", Arial, \
      sans-serif; font-size: \(size.pixel)px }
      .title { font-size: \((size * 1.75).pixel)px; font-weight: 600 }
      .name, .figure { font-weight: 600 }
      .figure { font-variant-numeric: tabular-nums }
      .small { font-size: \((size - 1).pixel)px }
      .whisker, .end { stroke-width: 1.5 }
      .grid, .base, .target { fill: none }
      .base { stroke-width: 1.5 }
      .target { stroke-width: 2.5 }
      \(rules(\.light, paper: "#ffffff", stripe: "#f5f7fa", ink: "#1f2328", quiet: "#59636e",
        grid: "#d8dee4", target: "#cf222e"))
      @media (prefers-color-scheme: dark) {
      \(rules(\.dark, paper: "#0d1117", stripe: "#151b23", ink: "#e6edf3", quiet: "#9198a1",
        grid: "#2f3742", target: "#ff7b72"))
      }
      """)
  }

  private static func rules(
    _ shade: KeyPath<(light: String, dark: String), String>, paper: String, stripe: String,
    ink: String, quiet: String, grid: String, target: String
  ) -> String {
    let engines = colours.enumerated().map { ".e\($0) { fill: \($1[keyPath: shade]) }" }
    return """
      .paper { fill: \(paper) } .stripe { fill: \(stripe) }
      text { fill: \(ink) } .quiet { fill: \(quiet) }
      .grid { stroke: \(grid) } .base, .whisker, .end { stroke: \(ink) }
      .target { stroke: \(target) }
      \(engines.joined(separator: " "))
      """
  }
}
