/// Some workloads with the ratios of all engines, in letters that are readable on a phone.
struct Overview: Picture {
  /// Writing, reading, queries and graphs, in the order in which they are shown.
  static let workloads = ["W1", "W2", "W3", "W4", "W5", "W6", "W7e", "Q2"]

  let engines: [String]
  let rows: [RecordedRatios.Row]
  let scale: LogScale

  /// - Parameter ratios: Those of other workloads are omitted.
  init(_ ratios: RecordedRatios) {
    engines = ratios.engines
    rows = Self.workloads.compactMap { name in ratios.rows.first { $0.name == name } }
    scale = LogScale(for: rows.flatMap(\.ratios), pixels: OverviewLayout.plot)
  }

  /// The complete picture, as a separate file.
  var svg: Markup {
    let layout = OverviewLayout(rows.map(\.title), engines: engines.count)
    return Markup(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": Self.title,
        "viewBox": "0 0 \(OverviewLayout.width.pixel) \(layout.height.pixel)",
        "width": OverviewLayout.width.pixel, "height": layout.height.pixel,
      ],
      .all([
        ChartStyle.sheet(size: OverviewLayout.letters),
        rectangle(0, 0, OverviewLayout.width, layout.height, class: "paper", radius: 10),
        text(Self.title, OverviewLayout.margin, 38, class: "title"),
        text("The time of the same work in C is 1.", OverviewLayout.margin, 62, class: "quiet"),
        legend, axis(layout),
        .all(zip(rows, layout.rows).map { bars($0, $1) }),
        text(
          "Logarithmic scale; further to the left is faster.", OverviewLayout.margin,
          layout.height - 16, class: "quiet small"),
      ]))
  }

  static let title = "Time compared to C"

  private var legend: Markup {
    .all(
      engines.enumerated().map { index, engine in
        let y = OverviewLayout.legend + Double(index) * OverviewLayout.lineHeight
        return .all([
          rectangle(
            OverviewLayout.margin, y - 11, 16, OverviewLayout.barHeight,
            class: ChartStyle.colour(index), radius: 2),
          text(engine, OverviewLayout.margin + 26, y, class: index == 0 ? "name" : ""),
        ])
      })
  }

  private func axis(_ layout: OverviewLayout) -> Markup {
    .all(
      scale.ticks.filter { [0.5, 1, 4, 16, 64].contains($0) }.map { ratio in
        let x = scale(ratio)
        return .all([
          line(x, layout.top, x, layout.bottom, class: ratio == 1 ? "base" : "grid"),
          text(
            ratio == 1 ? "C" : ratio < 1 ? "½" : "\(ratio.whole)×", x, layout.top - 6,
            class: ratio == 1 ? "name" : "quiet", anchor: "middle"),
        ])
      })
  }

  private func bars(_ row: RecordedRatios.Row, _ place: OverviewLayout.Row) -> Markup {
    let titles = place.titleLines.enumerated().map { index, line in
      // With its own background, because the lines of the scale are behind it.
      let y = place.y + Double(index + 1) * OverviewLayout.lineHeight - 4
      return Markup.all([
        rectangle(
          OverviewLayout.margin - 4, y - 15, Double(line.count) * OverviewLayout.letters * 0.56 + 8,
          OverviewLayout.lineHeight, class: "paper"),
        text(line, OverviewLayout.margin, y, class: "name"),
      ])
    }
    return .all(
      titles
        + row.ratios.enumerated().map { index, ratio in
          bar(ratio, engine: index, y: place.firstBar + Double(index) * OverviewLayout.barStep)
        })
  }

  private func bar(_ ratio: Double, engine: Int, y: Double) -> Markup {
    let (base, end) = (scale(1), scale(ratio))
    return .all([
      rectangle(
        min(base, end), y, max(3, abs(end - base)), OverviewLayout.barHeight,
        class: ChartStyle.colour(engine), radius: 2),
      text(
        (ratio < 9.995 ? ratio.twoPlaces : ratio.whole) + "×", max(base, end) + 6,
        y + OverviewLayout.barHeight - 1, class: engine == 0 ? "figure" : "small"),
    ])
  }
}
