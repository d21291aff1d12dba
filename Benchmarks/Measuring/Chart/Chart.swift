/// A chart of ratios as horizontal bars that start at the line of the base: faster engines to the
/// left, slower ones to the right.
struct Chart: Picture {
  let data: ChartData
  let layout: ChartLayout
  let scale: LogScale

  init(_ data: ChartData) {
    self.data = data
    layout = ChartLayout(data)
    scale = LogScale(for: data.values, pixels: ChartLayout.plot)
  }

  /// The picture as a separate file.
  var svg: Markup {
    Markup(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": data.title,
        "viewBox": "0 0 \(ChartLayout.width.pixel) \(layout.height.pixel)",
        "width": ChartLayout.width.pixel, "height": layout.height.pixel,
      ],
      .all([
        ChartStyle.sheet(),
        rectangle(0, 0, ChartLayout.width, layout.height, class: "paper", radius: 10),
        heading, legend, stripes, axis, .all(rows), footnote,
      ]))
  }

  private var heading: Markup {
    .all([
      text(data.title, ChartLayout.margin, 42, class: "title"),
      text(data.subtitle, ChartLayout.margin, 64, class: "quiet"),
    ])
  }

  private var footnote: Markup {
    text(data.footnote, ChartLayout.margin, layout.height - 16, class: "quiet small")
  }
}
